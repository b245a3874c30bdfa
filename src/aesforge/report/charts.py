# SPDX-License-Identifier: Apache-2.0
"""The report's charts as Vega-Lite specifications, and the runtime that draws them offline.

A specification holds no figures: the page gives each its rows under a name and changes them as its
reader filters. Colours are the page's CSS variables, so that a chart follows light, dark and print.
"""

import json
from importlib.metadata import version

import altair as alt

from aesforge.base.paths import BUILD
from aesforge.records.record import write_atomically

Chart = alt.Chart | alt.LayerChart

INK, SOFT, LINE = "var(--ink)", "var(--soft)", "var(--line)"
ACCENT, SECOND = "var(--accent)", "var(--second)"

# Parts of a byte's cycles, and their colours: dark to light in order.
PARTS = ("key set-up", "cipher", "mode", "tag")
_PART_COLOURS = ("var(--part-1)", "var(--part-2)", "var(--part-3)", "var(--part-4)")

FONT = "system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif"  # as in style.css
SAID_W = 66  # pixels: room for totals after bars


def specifications() -> dict[str, str]:
    """Return each chart's name and its Vega-Lite specification as JSON."""
    charts: dict[str, Chart] = {
        "pareto": pareto(),
        "lengths": lengths(),
        "breakdown": breakdown(),
        "modules": modules(),
        "sums": sums(),
        "wires": wires(),
    }
    return {name: json.dumps(_styled(chart).to_dict()) for name, chart in charts.items()}


def pareto() -> alt.LayerChart:
    """Area against time on a core: rows `points` (x, y, front, measured, ...), `software` (y).

    Rows `names` (x, y, x2, y2, text) are placed by the page; so are the ends of both scales.
    """
    ends = {name: alt.param(name=name, value=value) for name, value in _ENDS.items()}

    def scale(low: str, high: str) -> alt.Scale:
        return alt.Scale(
            type="log",
            nice=False,
            domainMin=alt.ExprRef(expr=low),
            domainMax=alt.ExprRef(expr=high),
        )

    few = alt.Axis(tickCount=5, format="~s", labelOverlap="greedy")
    x = alt.X("x:Q", scale=scale("xLow", "xHigh"), axis=few, title=None)
    y = alt.Y("y:Q", scale=scale("yLow", "yHigh"), axis=few, title=None)
    points = _rows("points")
    tips = [alt.Tooltip(f"{key}:N", title=title) for key, title in _TIPS]
    colour = alt.condition("datum.front", alt.value(ACCENT), alt.value(SOFT))
    filled = (
        alt.when("datum.measured && datum.front")
        .then(alt.value(ACCENT))
        .when("datum.measured")
        .then(alt.value(SOFT))
        .otherwise(alt.value("var(--paper)"))
    )
    dots = points.mark_point(shape="circle", size=64, strokeWidth=1.8, filled=False).encode(
        x=x,
        y=y,
        stroke=colour,
        fill=filled,
        opacity=alt.condition("datum.fits", alt.value(1), alt.value(0.45)),
        strokeWidth=alt.condition("datum.chosen", alt.value(4), alt.value(1.8)),
        tooltip=tips,
    )
    steps = (
        points.transform_filter("datum.step")
        .mark_line(interpolate="step-after", color=ACCENT, strokeWidth=1.5, opacity=0.5)
        .encode(x=x, y=y, order="x:Q")
    )
    names = _rows("names")
    leaders = (
        names.transform_filter("datum.far")
        .mark_rule(color=SOFT, strokeWidth=0.7, opacity=0.7)
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    )
    texts = names.mark_text(
        align=alt.expr("datum.align"), baseline="middle", fontSize=alt.expr("datum.size")
    ).encode(
        x=alt.X("x2:Q", scale=scale("xLow", "xHigh"), axis=few, title=None),
        y=alt.Y("y2:Q", scale=scale("yLow", "yHigh"), axis=few, title=None),
        text="text:N",
        color=alt.condition("datum.strong", alt.value(INK), alt.value(SOFT)),
    )
    rule = _rows("software").mark_rule(color=INK, strokeDash=[4, 4]).encode(y=y)
    return (
        _layered(rule, steps, leaders, dots, texts)
        .add_params(*ends.values())
        .properties(width="container", height=330)
    )


_ENDS = {"xLow": 1, "xHigh": 10, "yLow": 1, "yHigh": 10}  # the page knows better

_TIPS = (
    *(("label", "design"), ("core", "core"), ("area", "area (synthesis)")),
    *(("cycles", "cycles a byte (counted)"), ("rate", "rate (computed)"), ("clock", "clock")),
)


def lengths() -> alt.LayerChart:
    """Message length against cycles a byte: rows `curves` (bytes, y, label, role), `crossings`.

    Rows `names` (bytes, y, y2, text) are placed by the page.
    """
    x = alt.X(
        "bytes:Q",
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=alt.Axis(
            values=[16, 64, 256, 1024, 4096, 16384],
            labelExpr="datum.value < 1024 ? datum.value + ' B' : datum.value / 1024 + ' KiB'",
        ),
        title=None,
    )
    y = alt.Y("y:Q", scale=alt.Scale(type="log", nice=False, padding=8), title=None)
    curves = _rows("curves")
    tips = [
        alt.Tooltip("label:N", title="design"),
        alt.Tooltip("bytes:Q", title="message, bytes", format=","),
        alt.Tooltip("y:Q", title="cycles a byte (counted)", format=".1f"),
    ]
    colour = alt.Color(
        "role:N",
        scale=alt.Scale(domain=["chosen", "software", "other"], range=[ACCENT, INK, SOFT]),
        legend=None,
    )
    line = curves.mark_line(point=alt.OverlayMarkDef(size=22)).encode(
        x=x,
        y=y,
        detail="label:N",
        color=colour,
        strokeDash=alt.condition("datum.role == 'software'", alt.value([5, 4]), alt.value([1, 0])),
        strokeWidth=alt.condition("datum.role == 'chosen'", alt.value(2.8), alt.value(1.2)),
        order=alt.Order("bytes:Q"),
        tooltip=tips,
    )
    names = _rows("names")  # placed by the page
    leaders = names.mark_rule(strokeWidth=0.8, opacity=0.6, x2Offset=10).encode(
        x=x, y=y, x2="bytes:Q", y2="y2:Q", color=colour
    )
    ends = names.mark_text(
        align="left", baseline="middle", dx=13, fontSize=alt.expr("datum.size")
    ).encode(x=x, y=alt.Y("y2:Q", title=None), text="text:N", color=colour)
    crossings = _rows("crossings")
    rule = crossings.mark_rule(color=ACCENT, strokeDash=[2, 3]).encode(x=x)
    said = crossings.mark_text(
        align="left", dx=6, baseline="top", color=ACCENT, fontSize=12
    ).encode(x=x, y=alt.value(0), text="label:N")
    return _layered(line, rule, leaders, said, ends).properties(width="container", height=320)


def breakdown() -> alt.Chart:
    """Where the cycles of a byte go: rows `parts` (label, place, part, order, y)."""
    chart: alt.Chart = (
        _rows("parts")
        .mark_bar(height=13)
        .encode(
            y=alt.Y(
                "label:N",
                # Not `None`: Vega remembers the order of the rows that it had before.
                sort=alt.EncodingSortField("place", op="min"),
                title=None,
                axis=alt.Axis(labelLimit=170),
            ),
            x=alt.X("y:Q", title="cycles a byte", stack=True, axis=alt.Axis(tickCount=6)),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=list(PARTS), range=list(_PART_COLOURS)),
                legend=alt.Legend(orient="top", title=None),
            ),
            order="order:Q",
            tooltip=[
                alt.Tooltip("label:N", title="design"),
                alt.Tooltip("part:N", title="part"),
                alt.Tooltip("y:Q", title="cycles a byte", format=".1f"),
            ],
        )
        .properties(width="container")
    )
    return chart


def modules() -> alt.LayerChart:
    """Gates by module, on one scale: rows `modules` (label, module, gates, begin, end, rank).

    Modules `named` have room for their names; rows `totals` (label, end, said) say the sums.
    """
    y = alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=170, ticks=False))
    few = alt.Axis(tickCount=4, format=",d")
    x = alt.X("begin:Q", title="GE (NAND2 equivalents)", axis=few)
    parts = _rows("modules")
    bars = parts.mark_bar(height=15, stroke="var(--paper)", strokeWidth=0.6).encode(
        y=y,
        x=x,
        x2="end:Q",
        color=alt.Color(
            "rank:O",
            scale=alt.Scale(domain=[0, 1, 2, 3], range=list(_PART_COLOURS)),
            legend=None,
        ),
        tooltip=[
            alt.Tooltip("label:N", title="design"),
            alt.Tooltip("module:N", title="module"),
            alt.Tooltip("gates:Q", title="GE, mapped apart", format=",.1f"),
            alt.Tooltip("share:Q", title="share", format=".0%"),
        ],
    )
    names = (
        parts.transform_filter("datum.named")
        .mark_text(align="left", dx=5, fontSize=11)
        .encode(
            y=y,
            x=x,
            text="module:N",
            color=alt.condition("datum.rank == 0", alt.value("var(--paper)"), alt.value(INK)),
        )
    )
    said = (
        _rows("totals")
        .mark_text(align="left", dx=6, color=SOFT, fontSize=12)
        .encode(y=y, x=alt.X("end:Q", axis=few), text="said:N")
    )
    return _layered(bars, names, said).properties(
        width="container", padding={"left": 0, "right": SAID_W, "top": 4, "bottom": 4}
    )


def sums() -> alt.LayerChart:
    """T-test of the sum of toggles over time: rows `steps` (label, cycle, step, y), `limits` (y).

    Rows `cycles` (step, label) say where a cycle begins.
    """
    cycles = _rows("cycles")
    x = alt.X("step:Q", title="step of the trace", axis=alt.Axis(grid=False, tickCount=8))
    begins = cycles.mark_rule(color=LINE).encode(x=x)
    said = cycles.mark_text(align="left", dx=4, baseline="top", color=SOFT, fontSize=11).encode(
        x=x, y=alt.value(0), text="label:N"
    )
    tips = [
        alt.Tooltip("label:N", title="tested"),
        alt.Tooltip("step:Q", title="step"),
        alt.Tooltip("y:Q", title="largest |t|", format=".1f"),
    ]
    lines = (
        _rows("steps")
        .mark_line(strokeWidth=1.4)
        .encode(
            x=x, y=_size_of_t(), detail="cycle:N", order="step:Q", tooltip=tips, **_by_control()
        )
    )
    return _layered(begins, said, _limit(), lines).properties(width="container", height=300)


def wires() -> alt.LayerChart:
    """T-test of each wire, the largest first: rows `wires` (label, rank, y), `limits` (y)."""
    tips = [
        alt.Tooltip("label:N", title="tested"),
        alt.Tooltip("rank:Q", title="wires with as much or more"),
        alt.Tooltip("y:Q", title="largest |t|", format=".1f"),
    ]
    x = alt.X(
        "rank:Q",
        title="wires, by their largest |t|",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(grid=False, tickCount=5, format=",d"),
    )
    lines = (
        _rows("wires")
        .mark_line(strokeWidth=1.6)
        .encode(x=x, y=_size_of_t(), order="rank:Q", tooltip=tips, **_by_control())
    )
    return _layered(_limit(), lines).properties(width="container", height=300)


def _size_of_t() -> alt.Y:
    scale = alt.Scale(type="log", nice=False, domainMin=1, clamp=True)
    axis = alt.Axis(values=[1, 10, 100, 1000], format="~s")
    return alt.Y("y:Q", title="largest |t|", scale=scale, axis=axis)


def _limit() -> alt.Chart:
    chart: alt.Chart = _rows("limits").mark_rule(color=INK, strokeDash=[4, 4]).encode(y="y:Q")
    return chart


def _by_control() -> dict[str, alt.Color | alt.StrokeDash]:
    """Tell apart the module as it is (accent), without its masks (ink), and planted flaws."""
    shown = alt.Legend(orient="top", title=None, symbolType="stroke", labelLimit=260)
    colours = [ACCENT, INK, SOFT, "var(--part-2)", "var(--part-4)", INK, ACCENT, SOFT]
    dashes = [[1, 0], [1, 0], [1, 0], [1, 0], [1, 0], [2, 2], [2, 2], [2, 2]]
    return {
        "color": alt.Color("label:N", sort=None, legend=shown, scale=alt.Scale(range=colours)),
        "strokeDash": alt.StrokeDash(
            "label:N", sort=None, legend=shown, scale=alt.Scale(range=dashes)
        ),
    }


def _rows(name: str) -> alt.Chart:
    """Return a chart of rows that the page brings under a name."""
    return alt.Chart(alt.NamedData(name=name))


def _layered(*charts: alt.Chart) -> alt.LayerChart:
    """Return charts one upon the other."""
    made = alt.layer(*charts)
    assert isinstance(made, alt.LayerChart)
    return made


def _styled(chart: Chart) -> Chart:
    """Return a chart in the page's colours and letters."""
    styled: Chart = chart.configure(
        background="transparent",
        font=FONT,
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(
            labelColor=SOFT,
            titleColor=SOFT,
            titleFontWeight="normal",
            labelFontSize=12,
            labelOverlap="greedy",
            labelSeparation=4,
            titleFontSize=12,
            gridColor=LINE,
            gridOpacity=0.6,
            domainColor=LINE,
            tickColor=LINE,
        ),
        legend=alt.LegendConfig(labelColor=SOFT, labelFontSize=12, symbolType="square"),
    )
    return styled


GLOBALS = "window.vegaEmbed = vegaEmbed;"  # what the page's script calls


def runtime() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script; it is bundled once a version."""
    import vl_convert

    place = BUILD / "report" / f"vega-{version('vl-convert-python')}.js"
    if not place.is_file():
        write_atomically(place, vl_convert.javascript_bundle(GLOBALS))
    return place.read_text(encoding="utf-8")
