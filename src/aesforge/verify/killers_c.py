# SPDX-License-Identifier: Apache-2.0
"""The checks that may notice a mutant in C: kernels on their emulated units, emulations, modes.

Everything runs on the host, so drivers of peripherals have none. A check holds a mutant if the
compiler reads another text: code that macros leave out of every variant is not drawn.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from aesforge.base import proc
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, pycode
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.verify import unit_bench
from aesforge.verify.killers import BY_VALUE, SHARED, Check, Texts, of_bench, of_tests
from aesforge.verify.mutants import Mutant
from aesforge.verify.unit_bench import Outcome

MODES = ROOT / "sw" / "modes"
INCLUDE = ROOT / "sw" / "include"

# What compares kernels and modes with OpenSSL. Not planted faults: a mutant may remove their texts.
_CALLS = Path("tests/sw/test_c_api.py")
_OF_MODES = tuple(Path(f"tests/sw/test_{name}.py") for name in ("modes", "gcm", "sealed"))
_NO_FAULTS = "not fault"
# An accelerator's own tests of its C, and not those that plant a fault.
_NAMES_C, _NOTHING_PLANTED = '"sw/', "not seen"
# Random calls in any order, with keys that are none too: so many as the default tests make.
_RANDOM_CALLS, _FEW = Path("tests/sw/test_fuzz.py"), 3000

# What gcc is asked for: the text that it reads, and the code that it makes of it.
_TEXT = ("-E", "-P")
_CODE = ("-O2", "-w", "-S", "-o", "-")


@dataclass(frozen=True)
class Compiled:
    """What a check compiles: macros and file of each, common flags, folders of headers."""

    files: tuple[tuple[tuple[str, ...], Path], ...]
    flags: tuple[str, ...]
    includes: tuple[Path, ...]

    def text(self, texts: Texts) -> str:
        """Return what the compiler reads with `texts` as the contents of files."""
        return self._printed(texts, _TEXT)

    def code(self, texts: Texts) -> str:
        """Return the assembly that it makes of them, or its errors."""
        return self._printed(texts, _CODE)

    def _printed(self, texts: Texts, options: tuple[str, ...]) -> str:
        if not texts:
            return _as_is(self, options)
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for place in {INCLUDE, MODES, *(path.parent for path in texts)}:
                shutil.copytree(place, root / place.relative_to(ROOT), dirs_exist_ok=True)
            for path, text in texts.items():
                (root / path.relative_to(ROOT)).write_text(text, encoding="utf-8")
            return _of_every_file(self, root, options)


@lru_cache(maxsize=512)
def _as_is(read: Compiled, options: tuple[str, ...]) -> str:
    return _of_every_file(read, ROOT, options)


def _of_every_file(read: Compiled, root: Path, options: tuple[str, ...]) -> str:
    """Run gcc on the files, those below `root` in place of the repository's."""
    return "\0".join(_gcc(read, macros, file, root, *options) for macros, file in read.files)


def _gcc(read: Compiled, macros: Iterable[str], file: Path, root: Path, *options: str) -> str:
    """Return what gcc prints, also where it finds mistakes."""

    def there(path: Path) -> Path:
        moved = root / path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        return moved if moved.exists() else path

    words = ["-DACCEL_EMULATE", *read.flags, *(f"-D{word}" for word in macros)]
    search = [f"-I{there(path)}" for path in (*read.includes, INCLUDE, MODES)]
    done = proc.run(["gcc", *options, *words, *search, there(file)], timeout=60, check=False)
    return done.stdout + done.stderr


@lru_cache(maxsize=64)
def of(name: str) -> tuple[Check, ...]:
    """Return the checks of an accelerator's C, or of the modes, in the order of trying."""
    if name == SHARED:
        baseline, read = _shared_read()
        calls = _test(_CALLS, f"every_kernel and {baseline.name}-", read)
        failing = _test(_RANDOM_CALLS, f"a_device_that_fails and {2 * _FEW}]", read)
        return (calls, *(_test(path, _NO_FAULTS, read) for path in _OF_MODES), failing)
    return tuple(_checks(manifest.find(name)))


def files(name: str) -> list[list[Path]]:
    """Return the C that is mutated for a target: its own, and the shapes that it includes."""
    if name == SHARED:
        return [sorted(MODES.glob("*.c"))]
    accelerator = manifest.find(name)
    found = dict.fromkeys(path for read in _reads(name) for path in _included(read))
    own = [path for path in found if path.is_relative_to(accelerator.folder)]
    shapes = [path for path in found if path.parent == INCLUDE]
    return [own, shapes]


def changes_code(name: str, mutant: Mutant) -> bool:
    """Tell whether the compiler makes other code of a mutant, for any kernel or emulation.

    It does not where nothing calls the function (M. Papadakis et al., Trivial Compiler Equivalence,
    ICSE 2015). Of sets only the accelerator's own files count: what else a set makes of a shape is
    another accelerator's.
    """
    read_by = [*_reads(name)]
    if mutant.path.parent != INCLUDE:
        read_by += _reads_in_sets(name)
    parts = {Compiled((one,), read.flags, read.includes) for read in read_by for one in read.files}
    return any(
        reads(part, mutant) and part.code({mutant.path: mutant.text()}) != part.code({})
        for part in parts
    )


def able(accelerator: Accelerator) -> bool:
    """Tell whether an accelerator's C runs on the host."""
    found = accelerator.manifest
    return found.is_unit and bool(found.sw.kernel or found.sw.emul)


@lru_cache(maxsize=2)
def _reads(name: str) -> tuple[Compiled, ...]:
    """Return what is compiled of a target's C: kernels and emulations, or the modes."""
    if name == SHARED:
        return (_shared_read()[1],)
    found = manifest.find(name)
    return tuple(
        read(found, variant)
        for variant in found.manifest.variant
        for read in (_kernel_read, _emulation_read)
    )


def _reads_in_sets(name: str) -> Iterator[Compiled]:
    """Yield what is compiled of the kernels of sets with the accelerator."""
    if name != SHARED:
        found = manifest.find(name)
        yield from (_kernel_read(*where) for where in _linked(found) if where[0] is not found)


def _linked(accelerator: Accelerator) -> Iterator[tuple[Accelerator, Variant]]:
    """Yield where its C is linked: its own variants, and those of sets with it."""
    yield from ((accelerator, variant) for variant in accelerator.manifest.variant)
    for owner in manifest.discover():
        for variant in owner.manifest.variant if owner.manifest.kind == "set" else ():
            if any(m.accelerator.name == accelerator.name for m in owner.members(variant)):
                yield owner, variant


def _included(read: Compiled) -> Iterator[Path]:
    """Yield the files in C that compiling reads."""
    for macros, file in read.files:
        said = _gcc(read, macros, file, ROOT, "-MM")
        for word in said.replace("\\\n", " ").partition(":")[2].split():
            path = Path(word).resolve()
            if path.suffix in (".c", ".h") and path.is_relative_to(ROOT):
                yield path


# Checks -------------------------------------------------------------------------------------------


def _checks(accelerator: Accelerator) -> Iterator[Check]:
    """Yield emulation and kernel of each variant that compiles another text; the modes; own tests.

    The modes over the kernels of sets with the accelerator too: some lines matter only there.
    """
    seen: set[str] = set()
    for variant in accelerator.manifest.variant:
        name = f"{accelerator.name}/{variant.name}"
        read = _emulation_read(accelerator, variant)
        if (text := read.text({})) not in seen:
            seen.add(text)
            run = partial(unit_bench.emulation_equals_model, accelerator, variant)
            yield _host(f"emulation of {name}", read, run)
        read = _kernel_read(accelerator, variant)
        if (text := read.text({})) not in seen:
            seen.add(text)
            run = partial(unit_bench.kernel_on_host, accelerator, variant)
            yield _host(f"kernel of {name}", read, run)
    over = [(*where, _modes_read(*where)) for where in _linked(accelerator)]
    for owner, variant, read in over:
        if (text := read.text({})) not in seen:
            seen.add(text)
            name = f"{owner.name}-{variant.name}"
            yield _test(_CALLS, f"every_kernel and {name}]", read)
            yield _test(_RANDOM_CALLS, f"every_kernel and {name}-{_FEW}", read)
    for path in sorted((accelerator.folder / "test").glob("test_*.py")):
        if _NAMES_C in path.read_text(encoding="utf-8"):
            yield _test(path.relative_to(ROOT), _NOTHING_PLANTED, *(read for *_, read in over))


def _host(label: str, read: Compiled, run: Callable[[], Outcome]) -> Check:
    """Return a host bench as a check."""
    code = ["verify.unit_bench.emulation_equals_model", "verify.unit_bench.kernel_on_host"]

    def hashed(texts: Texts) -> str:
        return proc.digest(
            read.text(texts), " ".join(read.flags), pycode.digest(code, BY_VALUE), _versions()
        )

    return Check(label, partial(reads, read), hashed, partial(of_bench, run))


def _test(test: Path, chosen: str, *compiled: Compiled) -> Check:
    """Return tests as a check."""

    def hashed(texts: Texts) -> str:
        found = [part for read in compiled for part in (read.text(texts), " ".join(read.flags))]
        return proc.digest(*found, _versions())

    def holds(mutant: Mutant) -> bool:
        return any(reads(read, mutant) for read in compiled)

    return of_tests(test, chosen, holds, hashed)


def reads(read: Compiled, mutant: Mutant) -> bool:
    """Tell whether the line of a mutant is compiled."""
    return mutant.line in _lines(read).get(mutant.path, ())


_MARK = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')


@lru_cache(maxsize=1024)
def _lines(read: Compiled) -> dict[Path, set[int]]:
    """Return the numbers of the lines that the preprocessor leaves, by file."""
    found: dict[Path, set[int]] = {}
    for macros, file in read.files:
        at, number = file, 1
        for line in _gcc(read, macros, file, ROOT, "-E").splitlines():
            if mark := _MARK.match(line):
                number, at = int(mark[1]), Path(mark[2])
                continue
            if line.strip():
                found.setdefault(at, set()).add(number)
            number += 1
    return found


def _versions() -> str:
    return proc.version_line("gcc")


def _generated(accelerator: Accelerator, variant: Variant) -> codegen.Generated:
    folder = BUILD / "mutants" / "generated" / f"{accelerator.name}-{variant.name}-c"
    return codegen.generate(folder, accelerator, variant)


def _kernel_read(accelerator: Accelerator, variant: Variant) -> Compiled:
    """Return what the host bench of a kernel compiles."""
    made = _generated(accelerator, variant)
    files = [
        (part.defines, file) for part in accelerator.kernel_parts(variant) for file in part.files
    ]
    files += [((), file) for file in (*made.sources, *accelerator.emulations(variant))]
    return Compiled(tuple(files), _flags(accelerator, variant), (made.include,))


def _emulation_read(accelerator: Accelerator, variant: Variant) -> Compiled:
    """Return what the host bench of an emulation compiles."""
    made = _generated(accelerator, variant)
    files = tuple(((), file) for file in accelerator.emulations(variant))
    return Compiled(files, _flags(accelerator, variant), (made.include,))


def _shared_read() -> tuple[Accelerator, Compiled]:
    """Return a software baseline, and the modes over it."""
    baseline = next(a for a in manifest.discover() if a.manifest.kind == "software")
    return baseline, _modes_read(baseline, baseline.manifest.variant[0])


def _modes_read(accelerator: Accelerator, variant: Variant) -> Compiled:
    """Return the modes over a kernel."""
    modes = tuple(((), file) for file in sorted(MODES.glob("*.c")))
    if not accelerator.manifest.is_unit:
        return Compiled(modes, _flags(accelerator, variant), ())
    kernel = _kernel_read(accelerator, variant)
    return Compiled((*kernel.files, *modes), kernel.flags, kernel.includes)


def _flags(accelerator: Accelerator, variant: Variant) -> tuple[str, ...]:
    software = accelerator.manifest.sw
    flags = [word for word in (*software.cflags, *variant.cflags) if word.startswith("-D")]
    macros = (*accelerator.manifest.macros(variant), *variant.defines)
    return (*flags, *(f"-D{word}" for word in macros))
