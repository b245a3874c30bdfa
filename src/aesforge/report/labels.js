// SPDX-License-Identifier: Apache-2.0
// Where names go in a chart, so that none covers another or a point. All lengths are pixels.
const LETTERS = 14; // height of a line of text
const GAPS = [0, 12, 24, 38, 54, 72, 92, 116, 144, 176, 212, 250]; // tried between point and name
const ATTEMPTS = 6;
// Sixteenths of a turn: right and left first, straight up and down last.
const TURNS = [0, 8, 15, 1, 9, 7, 14, 2, 10, 6, 13, 3, 12, 4, 11, 5];
const pen = document.createElement("canvas").getContext("2d");

function textWidth(text, size) {
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width + 4;
}

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const inside = (a, b) =>
  a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
const boxAt = (left, middle, width) => ({
  ...{ left, right: left + width, top: middle - LETTERS / 2, bottom: middle + LETTERS / 2 },
});
const dotAt = ({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 });

/** The boxes to try for a point's name, the nearest first. */
function* around(point, width) {
  for (const gap of GAPS) {
    for (const turn of TURNS) {
      const [across, down] = [Math.cos, Math.sin].map((of) => of((turn * Math.PI) / 8));
      const x = point.x + across * (9 + gap);
      const left = Math.abs(across) < 0.1 ? x - width / 2 : across > 0 ? x : x - width;
      yield { ...boxAt(left, point.y + down * (11 + gap), width), far: gap > 0 };
    }
  }
}

/**
 * The nearest free box for each point's name; null where there is none. Names that found no place
 * come first in another attempt.
 */
function placeNames(points, taken, frame, size) {
  let order = points.map((_, at) => at);
  let boxes = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const full = [...taken, ...points.map(dotAt)];
    boxes = Array(points.length).fill(null);
    for (const at of order) {
      for (const box of around(points[at], textWidth(points[at].text, size))) {
        if (inside(box, frame) && !full.some((other) => meet(box, other))) {
          full.push(box);
          boxes[at] = box;
          break;
        }
      }
    }
    const without = order.filter((at) => !boxes[at]);
    if (!without.length) break;
    order = [...without, ...order.filter((at) => boxes[at])];
  }
  return boxes;
}

/** A free box for the name of a horizontal line, on it or under it. */
function placeOnLine(y, text, points, frame, size) {
  const width = textWidth(text, size);
  const dots = points.map(dotAt);
  for (const middle of [y - 10, y + 10]) {
    for (let left = frame.left + 4; left + width < frame.right; left += 8) {
      const box = boxAt(left, middle, width);
      if (inside(box, frame) && !dots.some((dot) => meet(box, dot))) return box;
    }
  }
  return boxAt(frame.left + 4, y - 10, width);
}

/** Heights at least a line apart, each group of neighbours around the middle of its own. */
function spread(heights) {
  const groups = []; // first height that the group would have, and its size
  heights.forEach((y, at) => {
    let group = { first: y - LETTERS * at, size: 1 };
    while (groups.length && groups.at(-1).first > group.first) {
      const before = groups.pop();
      const size = before.size + group.size;
      const first = (before.first * before.size + group.first * group.size) / size;
      group = { first, size };
    }
    groups.push(group);
  });
  const firsts = groups.flatMap(({ first, size }) => Array(size).fill(first));
  return firsts.map((first, at) => first + LETTERS * at);
}
