# SPDX-License-Identifier: Apache-2.0
"""No branch and no address depends on a secret: kernels and modes under Valgrind.

memcheck is told that secrets are undefined memory and reports each use of one as a condition or an
address. A unit's operation is executed by its emulation on copies that are known, and its result is
secret again if an operand was, or always where the unit has state. So tables inside an emulation,
which are hardware in the unit, are not reported, and everything around the operations is checked.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

import fuzz_support as fuzz
from aesforge.catalog.manifest import Operation
from fuzz_support import Subject
from marks_support import by_default

SOURCES = fuzz.ROOT / "tests" / "sw" / "taint"
FOUND = 77  # valgrind's exit status for a report
SECONDS = 300
SUBJECTS = fuzz.subjects()
CLEAN = [found for found in SUBJECTS if found[0].manifest.claims("ct", found[1])]
LEAKY = [found for found in SUBJECTS if found not in CLEAN]  # tables, as their READMEs say
NO_VECTORS = ("-fno-tree-vectorize", "-fno-tree-slp-vectorize")  # no core here has any

COMPILERS = {
    # Without ivopts: it counts a loop by GCM's counter, which may be secret, up to that counter and
    # the number of blocks. When the loop ends is not secret, but memcheck cannot know that.
    "gcc": ("gcc", "-std=gnu99", "-O2", "-gdwarf-4", "-fno-ivopts", *NO_VECTORS),
    "clang": ("clang", "-std=gnu99", "-O2", "-gdwarf-4", *NO_VECTORS),
}

# What an operation says of a unit and not of a key or data: whose key it holds.
PUBLIC_RESULTS = {"aesqk_tag", "ab_start", "gh_end", "mb_key", "mb_look"}
# The same of some of an operation's answers: the number, the mode, and in CTR the counter.
PUBLIC_WHERE = {"ab_look": "item >= 10u || (item < 4u && (real_ab_look(0, 11) & 3u) == 3u)"}

# How a kernel's own comparison is said to be public: taint.c has the function.
PUBLIC = (
    "do { void now_public(const void *, unsigned long); now_public(&(x), sizeof(x)); } while (0)"
)

# The end of a comparison (of tags, of a wrapped key's check and padding, of the halves of an XTS
# key) is the status, which is public.
DECLASSIFIED = {
    file: ("  return bits;\n", "  VALGRIND_MAKE_MEM_DEFINED(&bits, sizeof bits);\n")
    for file in ("gcm_parts.h", "aes_kw.c", "blocks.h")
}


def wrapper(operation: Operation, *, state: bool) -> str:
    """C text of an operation that looks at copies and gives a secret back where one came in."""
    name = operation.mnemonic
    registers = [r for r in ("rs1", "rs2", "rs3") if r in operation.parsed.registers]
    immediates = [immediate.name for immediate in operation.parsed.immediates]
    parameters = ", ".join(
        [*(f"uint32_t {r}" for r in registers), *(f"const unsigned {i}" for i in immediates)]
    )
    lines = [
        f"uint32_t real_{name}({parameters});",
        f"uint32_t {name}({parameters}) {{",
        f"  uint32_t secret = {int(state and name not in PUBLIC_RESULTS)};",
        *([f"  if ({PUBLIC_WHERE[name]}) secret = 0;"] if name in PUBLIC_WHERE else []),
    ]
    for register in registers:
        lines += [
            f"  secret |= is_secret(&{register});",
            f"  VALGRIND_MAKE_MEM_DEFINED(&{register}, 4);",
        ]
    lines += [
        f"  uint32_t result = real_{name}({', '.join([*registers, *immediates])});",
        *(
            []
            if name in PUBLIC_RESULTS
            else ["  if (secret) VALGRIND_MAKE_MEM_UNDEFINED(&result, 4);"]
        ),
        "  (void)secret;",
        "  return result;",
        "}",
    ]
    return "\n".join(lines) + "\n"


HEAD = """#include <stdint.h>
#include <valgrind/memcheck.h>
// Valgrind is asked before the value is used.
static uint32_t __attribute__((unused)) is_secret(const uint32_t *x) {
  uint8_t bits[4];
  VALGRIND_GET_VBITS(x, bits, 4);
  VALGRIND_MAKE_MEM_DEFINED(bits, 4);
  return (uint32_t)(bits[0] | bits[1] | bits[2] | bits[3]);
}
"""


def wrapped(folder: Path, subject: Subject, emulation: Path) -> Path:
    """The emulation of a subject's unit whose operations `wrapper` has wrapped."""
    unit, variant = next(
        (member.accelerator, member.variant)
        for member in subject[0].members(subject[1])
        if member.accelerator.file(member.accelerator.manifest.sw.emul) == emulation
    )
    renamed = folder / f"{unit.name}_emulation.c"
    known = unit.manifest.operations(variant)
    state = not unit.manifest.is_stateless(variant)
    names = [f"#define {op.mnemonic} real_{op.mnemonic}\n" for op in unit.manifest.op]
    undone = [f"#undef {op.mnemonic}\n" for op in unit.manifest.op]
    include = f'#include "{emulation}"\n'
    wrappers = [wrapper(op, state=state) for op in known]
    renamed.write_text("".join([*names, include, *undone, HEAD, *wrappers]), encoding="utf-8")
    return renamed


def build(
    folder: Path, subject: Subject, compiler: str, patches: dict[str, tuple[str, str]]
) -> Path:
    """The program: modes with what is public at their end, and `patches` of any of their files."""
    variant = subject[1]
    modes = folder / "modes"
    shutil.copytree(fuzz.MODES, modes)
    for file, (old, new) in patches.items():
        text = (modes / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (modes / file).write_text(text.replace(old, new), encoding="utf-8")
    for file, (old, new) in DECLASSIFIED.items():
        text = (modes / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        text = "#include <valgrind/memcheck.h>\n" + text.replace(old, new + old)
        (modes / file).write_text(text, encoding="utf-8")

    direction = [] if "decrypt" in variant.directions else ["-DENCRYPT_ONLY"]
    direction.append(f"-DAES_PUBLIC(x)={PUBLIC}")
    return fuzz.build(
        folder / "taint",
        subject,
        [],
        shared=[SOURCES / "taint.c", *fuzz.modes_files(modes)],
        emulation=lambda path: wrapped(folder, subject, path),
        compiler=[*COMPILERS[compiler], *direction],
        includes=[modes],
    )


def run(program: Path) -> "subprocess.CompletedProcess[str]":
    """Run a program under memcheck."""
    return subprocess.run(
        ["valgrind", "-q", f"--error-exitcode={FOUND}", "--leak-check=no", program],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("compiler", [pytest.param("gcc", marks=pytest.mark.slow), "clang"])
@pytest.mark.parametrize("subject", by_default(CLEAN), ids=fuzz.name_of)
def test_nothing_depends_on_a_secret(tmp_path: Path, subject: Subject, compiler: str) -> None:
    """Set-up, modes and AES-GCM, both directions, every key length."""
    done = run(build(tmp_path, subject, compiler, {}))
    assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.parametrize("subject", by_default(LEAKY), ids=fuzz.name_of)
def test_tables_are_reported(tmp_path: Path, subject: Subject) -> None:
    """The positive control: ciphers made of tables, which claim no constant time."""
    done = run(build(tmp_path, subject, "gcc", {}))
    assert done.returncode == FOUND
    assert "Use of uninitialised value" in done.stderr


EARLY = {
    "gcm_parts.h": ("    bits |= (uint32_t)(x[i] ^ y[i]);\n", "    if (bits != 0u) break;\n"),
    "blocks.h": ("    bits |= (uint32_t)(x[i] ^ y[i]);\n", "    if (bits != 0u) break;\n"),
    "aes_kw.c": ("    bits |= out[padded - i] & mask;\n", "    if (bits != 0u) break;\n"),
}


@pytest.mark.parametrize("file", EARLY)
def test_an_early_exit_is_reported(tmp_path: Path, file: str) -> None:
    """A comparison of tags, or of padding, that ends at the first difference."""
    old, more = EARLY[file]
    done = run(build(tmp_path, CLEAN[0], "gcc", {file: (old, old + more)}))
    assert done.returncode == FOUND
    assert "depends on uninitialised value" in done.stderr


# --- curves ---------------------------------------------------------------------------------------

ECC = fuzz.ROOT / "sw" / "ecc"
WITH_CURVES = [found for found in fuzz.subjects() if found[0].manifest.has_ecc(found[1])]
# What the functions say on purpose: that a key or nonce is in range, a result not zero, a point of
# the other party valid. (That is public; but a unit with state gives back secrets only, see above.)
PUBLIC_SITES = {
    "x25519.c": ("ecc_is_zero(s.x2, 8) !=",),
    "p256.c": (
        "p256_read_scalar(w.k, d) ==",
        "p256_read_scalar(w.k, d) !=",
        "p256_read_point(&w, peer) !=",
    ),
    "p256_ecdsa.c": (
        "p256_read_scalar(w.d, d) ==",
        "nonces_next(&w.nonces, w.point.k) !=",
        "attempt(&w) !=",
    ),
    "p256_keys.c": (
        "p256_read_scalar(k, d) ==",
        "p256_read_scalar(w.k, d) !=",
        "p256_read_point(&w, pub) ==",
        "p256_read_point(&w, point) !=",
    ),
    "binary_keys.c": ("get_scalar(c, k, d) ?", "is_valid(c, x, y) ?"),
    "binary.c": ("get_scalar(c, k, d)) {", "is_valid(c, x, y)) {", "is_zero(f, l.double_z)) {"),
}


def build_curves(folder: Path, subject: Subject, patch: tuple[str, str, str] | None = None) -> Path:
    """The program of the curves, with a fault planted or none."""
    sources = folder / "ecc"
    shutil.copytree(ECC, sources)
    if patch:
        file, old, new = patch
        text = (sources / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (sources / file).write_text(text.replace(old, new), encoding="utf-8")
    for file, sites in PUBLIC_SITES.items():
        text = (sources / file).read_text(encoding="utf-8")
        for site in sites:
            assert site in text
            call, end = site.rsplit(")", 1)[0] + ")", site.rsplit(")", 1)[1]
            if site.endswith("{"):
                call, end = site[: -len(") {")], ") {"
            text = text.replace(site, f"made_public({call}){end}")
        (sources / file).write_text('#include "public.h"\n' + text, encoding="utf-8")
    return fuzz.build(
        folder / "curves",
        subject,
        subject[0].ecc_files(subject[1]),
        shared=[SOURCES / "curves.c", fuzz.MODES / "aes_modes.c", *sorted(sources.glob("*.c"))],
        emulation=lambda path: wrapped(folder, subject, path),
        compiler=COMPILERS["gcc"],
        includes=[sources, SOURCES],
    )


@pytest.mark.parametrize("subject", by_default(WITH_CURVES), ids=fuzz.name_of)
def test_curves_depend_on_no_secret(tmp_path: Path, subject: Subject) -> None:
    """Private keys, nonces, hashes and shared secrets."""
    done = run(build_curves(tmp_path, subject))
    assert done.returncode == 0, done.stderr[:3000]


def test_a_branch_on_a_key_is_reported(tmp_path: Path) -> None:
    """A ladder that skips what a zero bit makes needless."""
    patch = (
        "x25519.c",
        "x25519_step(&s, last ^ bit);",
        "if (last ^ bit) x25519_step(&s, 1u); else x25519_step(&s, 0u);",
    )
    done = run(build_curves(tmp_path, WITH_CURVES[-1], patch))
    assert done.returncode == FOUND
