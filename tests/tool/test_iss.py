# SPDX-License-Identifier: Apache-2.0
"""The instruction-level model and the encoders: by hand, against the assembler and the compiler."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st

from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.catalog import encoding
from aesforge.catalog.manifest import Accelerator, discover
from aesforge.catalog.model_file import load_model
from aesforge.programs import rv32
from aesforge.programs.iss import CustomOperation, Iss, IssTrap

WORD = st.integers(0, 0xFFFF_FFFF)
CROSS = "riscv64-unknown-elf-"
ARCH = ["-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32"]

needs_compiler = pytest.mark.skipif(
    shutil.which(f"{CROSS}gcc") is None, reason="the RISC-V compiler is not installed"
)


def execute(
    code: list[int], registers: dict[int, int] | None = None, size: int = 4096, **kwargs: object
) -> Iss:
    """Run words from address 0 to their end and return the machine."""
    memory = bytearray(size)
    memory[: 4 * len(code)] = struct.pack(f"<{len(code)}I", *code)
    iss = Iss(memory, **kwargs)  # type: ignore[arg-type]
    for number, value in (registers or {}).items():
        iss.registers[number] = value
    iss.run(until=4 * len(code), limit=10_000)
    return iss


def alu(mnemonic: str, a: int, b: int) -> int:
    """Return what a register operation gives."""
    return execute([rv32.register(mnemonic, 3, 1, 2)], {1: a, 2: b}).registers[3]


# The tables of special cases in the M chapter of the unprivileged ISA manual, and some corners.
@pytest.mark.parametrize(
    ("mnemonic", "a", "b", "result"),
    [
        ("add", 0xFFFF_FFFF, 2, 1),
        ("sub", 0, 1, 0xFFFF_FFFF),
        ("sll", 1, 33, 2),
        ("srl", 0x8000_0000, 31, 1),
        ("sra", 0x8000_0000, 31, 0xFFFF_FFFF),
        ("slt", 0x8000_0000, 0, 1),
        ("sltu", 0x8000_0000, 0, 0),
        ("mul", 0xFFFF_FFFF, 0xFFFF_FFFF, 1),
        ("mulh", 0xFFFF_FFFF, 0xFFFF_FFFF, 0),
        ("mulhu", 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFE),
        ("mulhsu", 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF),
        ("div", 0x8000_0000, 0xFFFF_FFFF, 0x8000_0000),
        ("rem", 0x8000_0000, 0xFFFF_FFFF, 0),
        ("div", 7, 0, 0xFFFF_FFFF),
        ("divu", 7, 0, 0xFFFF_FFFF),
        ("rem", 0x8000_0007, 0, 0x8000_0007),
        ("remu", 7, 0, 7),
        ("div", -7 & 0xFFFF_FFFF, 2, -3 & 0xFFFF_FFFF),
        ("rem", -7 & 0xFFFF_FFFF, 2, -1 & 0xFFFF_FFFF),
        ("rem", 7, -2 & 0xFFFF_FFFF, 1),
    ],
)
def test_register_operations(mnemonic: str, a: int, b: int, result: int) -> None:
    """Register operations give what the manual's tables say."""
    assert alu(mnemonic, a, b) == result


@given(WORD, WORD)
def test_multiplication_and_division_are_consistent(a: int, b: int) -> None:
    """Products by halves, and quotient times divisor plus remainder."""
    signed_a, signed_b = (value - (value >> 31 << 32) for value in (a, b))
    assert alu("mulhu", a, b) << 32 | alu("mul", a, b) == a * b
    signed_product = (alu("mulh", a, b) << 32 | alu("mul", a, b)) & (1 << 64) - 1
    assert signed_product == signed_a * signed_b & (1 << 64) - 1
    mixed_product = (alu("mulhsu", a, b) << 32 | alu("mul", a, b)) & (1 << 64) - 1
    assert mixed_product == signed_a * b & (1 << 64) - 1
    for quotient, remainder in (("div", "rem"), ("divu", "remu")):
        back = alu(quotient, a, b) * b + alu(remainder, a, b) if b else alu(remainder, a, b)
        assert back & 0xFFFF_FFFF == a


def test_x0_stays_zero() -> None:
    """Writes to x0 are lost."""
    assert execute([rv32.immediate("addi", 0, 0, 5)]).registers[0] == 0


@pytest.mark.parametrize("value", [0, 1, 0x7FF, 0x800, 0xFFF, 1 << 31, 0xFFFF_FFFF, 0x1234_5FFF])
def test_constants(value: int) -> None:
    """lui and addi make any value."""
    assert execute(list(rv32.constant(5, value))).registers[5] == value


@pytest.mark.parametrize(
    ("mnemonic", "result"),
    [("lb", 0xFFFF_FF80), ("lbu", 0x80), ("lh", 0xFFFF_F280), ("lhu", 0xF280), ("lw", 0x7EF1F280)],
)
def test_loads_extend(mnemonic: str, result: int) -> None:
    """Loads take the right bytes and extend them."""
    code = [rv32.store("sw", 1, 2, -4), rv32.load(mnemonic, 3, 2, -4)]
    assert execute(code, {1: 0x7EF1_F280, 2: 0x104}).registers[3] == result


def test_stores_touch_only_their_bytes() -> None:
    """Narrow stores leave the neighbours alone."""
    code = [rv32.store("sb", 1, 2, 1), rv32.store("sh", 1, 2, 6)]
    memory = execute(code, {1: 0x1234_5678, 2: 0x100}).memory
    assert memory[0x100:0x108].hex() == "0078000000007856"


def test_misaligned_accesses_are_a_choice() -> None:
    """Misaligned accesses work or trap as asked."""
    code = [rv32.store("sw", 1, 2, 1), rv32.load("lw", 3, 2, 1)]
    registers = {1: 0x1234_5678, 2: 0x100}
    assert execute(code, registers, misaligned=True).registers[3] == 0x1234_5678
    with pytest.raises(IssTrap, match="misaligned"):
        execute(code, registers)


@pytest.mark.parametrize("mnemonic", rv32.BRANCHES)
@pytest.mark.parametrize(("a", "b"), [(1, 2), (2, 1), (1, 1), (0xFFFF_FFFF, 1), (1, 0xFFFF_FFFF)])
def test_branches(mnemonic: str, a: int, b: int) -> None:
    """Each branch is taken exactly when its condition holds."""
    code = [rv32.branch(mnemonic, 1, 2, 8), rv32.immediate("addi", 3, 0, 1)]
    x, y = (
        value - (value >> 31 << 32) if mnemonic in ("blt", "bge") else value for value in (a, b)
    )
    taken = {"q": x == y, "e": x != y, "t": x < y, "u": x < y if mnemonic == "bltu" else x >= y}
    expected = x >= y if mnemonic in ("bge", "bgeu") else taken[mnemonic[2]]
    assert execute(code, {1: a, 2: b}).registers[3] == int(not expected)


def test_jumps_link_and_clear_the_lowest_bit() -> None:
    """jal and jalr link; jalr clears bit 0 of its target."""
    code = [rv32.jal(1, 12), rv32.jal(0, 16), 0, rv32.jalr(2, 3, 5), 0]
    iss = execute(code, {3: 0})
    assert iss.registers[1:3] == [4, 16]


@pytest.mark.parametrize(
    "word",
    [
        0,
        0xFFFF_FFFF,
        rv32.shift("slli", 1, 1, 1) | 1 << 25,  # looks like mulh, is not
        rv32.register("add", 1, 1, 1) | 0x10 << 25,
        0x30001073,  # csrrw mstatus
        rv32.COUNTERS["cycle"] << 20 | 1 << 15 | 2 << 12 | 0x73,  # writes a counter
        0x00000073,  # ecall
    ],
)
def test_illegal_instructions_trap(word: int) -> None:
    """Words that only resemble instructions trap."""
    with pytest.raises(IssTrap, match="illegal"):
        execute([word], {1: 1})


def test_bad_jumps_and_accesses_trap() -> None:
    """Bad targets, bad addresses and endless programs are traps."""
    with pytest.raises(IssTrap, match="misaligned"):
        execute([rv32.jalr(0, 1, 0)], {1: 2})
    with pytest.raises(IssTrap, match="outside memory"):
        execute([rv32.load("lw", 1, 1, 0)], {1: 0x10000})
    with pytest.raises(IssTrap, match="no end"):
        execute([rv32.jal(0, 0)])


def test_counters_never_fall() -> None:
    """Counter reads are legal and monotonic."""
    for counter in rv32.COUNTERS:
        code = [rv32.csrr(1, counter), rv32.csrr(2, counter), rv32.csrr(0, counter)]
        registers = execute(code).registers
        assert registers[2] >= registers[1]


def test_device() -> None:
    """The device reads the stream and takes output, console and exit code."""
    code = [
        rv32.load("lw", 1, 2, 0x08),
        rv32.load("lw", 3, 2, 0x0C),
        rv32.load("lw", 4, 2, 0x18),
        rv32.store("sw", 3, 2, 0x10),
        rv32.store("sw", 3, 2, 0x14),
        rv32.store("sw", 3, 2, 0x00),
        rv32.store("sw", 1, 2, 0x04),
    ]
    iss = execute(code, {2: 0x8000_0000}, stream=b"abcdef")
    assert (iss.registers[1], iss.registers[4]) == (6, 4096)
    assert (bytes(iss.device.output), bytes(iss.device.console)) == (b"abcda", b"a")
    assert (iss.device.exit_code, iss.device.input) == (6, b"ef")


def test_custom_operations_get_operands_in_order() -> None:
    """Registers rs1, rs2, rs3, then immediates in pattern order."""
    found = encoding.parse("rs3 00 rs2 rs1 001 rd 0001011")
    mixed = encoding.parse("n[1:0] 10001 m[4:0] rs1 010 rd 0110011")
    seen: list[tuple[int, ...]] = []

    def note(*values: int) -> int:
        seen.append(values)
        return len(seen)

    operations = [CustomOperation("three", found, note), CustomOperation("imms", mixed, note)]
    code = [
        found.encode(5, {"rs1": 1, "rs2": 2, "rs3": 3}, {}),
        mixed.encode(6, {"rs1": 1}, {"m": 9, "n": 2}),
        found.encode(0, {"rs1": 5, "rs2": 6, "rs3": 0}, {}),
    ]
    iss = execute(code, {1: 10, 2: 20, 3: 30}, custom=operations)
    assert seen == [(10, 20, 30), (10, 2, 9), (1, 2, 0)]
    assert iss.registers[:7] == [0, 10, 20, 30, 0, 1, 2]


def test_custom_models_must_return_32_bits() -> None:
    """A model that returns more than 32 bits is refused."""
    found = encoding.parse("0000110 rs2 rs1 001 rd 0001011")
    operation = CustomOperation("wide", found, lambda a, b: 1 << 32)
    with pytest.raises(ValueError, match="not 32 bits"):
        execute([found.encode(1, {"rs1": 1, "rs2": 1}, {})], custom=[operation])


def assembled(source: str, folder: Path) -> list[int]:
    """Return the words that the assembler makes of a text."""
    (folder / "t.s").write_text(source)
    subprocess.run([f"{CROSS}gcc", *ARCH, "-c", "t.s", "-o", "t.o"], cwd=folder, check=True)
    subprocess.run(
        [f"{CROSS}objcopy", "-O", "binary", "-j", ".text", "t.o", "t.bin"], cwd=folder, check=True
    )
    data = (folder / "t.bin").read_bytes()
    return list(struct.unpack(f"<{len(data) // 4}I", data))


@needs_compiler
def test_encoders_agree_with_the_assembler(tmp_path: Path) -> None:
    """Every encoder, edge values included, against the assembler."""
    ours: list[int] = []
    text: list[str] = [".option norelax"]
    for name in rv32.REGISTER_OPS:
        ours.append(rv32.register(name, 31, 17, 9))
        text.append(f"{name} x31, x17, x9")
    for name in rv32.IMMEDIATE_OPS:
        for value in (-2048, -1, 2047):
            ours.append(rv32.immediate(name, 3, 30, value))
            text.append(f"{name} x3, x30, {value}")
    for name in rv32.SHIFT_OPS:
        ours.append(rv32.shift(name, 1, 2, 31))
        text.append(f"{name} x1, x2, 31")
    for name in rv32.LOADS:
        ours.append(rv32.load(name, 8, 21, -3))
        text.append(f"{name} x8, -3(x21)")
    for name in rv32.STORES:
        for offset in (-2048, -1, 5, 2047):
            ours.append(rv32.store(name, 8, 21, offset))
            text.append(f"{name} x8, {offset}(x21)")
    for name in rv32.BRANCHES:
        for distance in (-4096, -2, 4, 30, 2048, 4094):
            ours.append(rv32.branch(name, 8, 21, distance))
            text.append(f"{name} x8, x21, . + {distance}")
    for distance in (-1048576, -2, 4, 2048, 4096, 1048574):
        ours.append(rv32.jal(7, distance))
        text.append(f"jal x7, . + {distance}")
    for name in rv32.COUNTERS:
        ours.append(rv32.csrr(9, name))
        text.append(f"csrr x9, {name}")
    ours += [rv32.lui(4, 0xFFFFF), rv32.auipc(5, 0x80001), rv32.jalr(6, 7, -2048)]
    text += ["lui x4, 0xfffff", "auipc x5, 0x80001", "jalr x6, -2048(x7)"]
    assert assembled("\n".join(text) + "\n", tmp_path) == ours


@pytest.mark.parametrize(
    "make",
    [
        lambda: rv32.immediate("addi", 1, 1, 2048),
        lambda: rv32.branch("beq", 1, 1, 4096),
        lambda: rv32.jal(1, 1 << 20),
        lambda: rv32.shift("slli", 1, 1, 32),
    ],
)
def test_encoders_refuse_what_does_not_fit(make: object) -> None:
    """Immediates out of range are errors."""
    with pytest.raises(ValueError):
        make()  # type: ignore[operator]


START = """
.section .text.vectors, "ax"
.globl _start
_start:
.option push
.option norelax
  la gp, __global_pointer$
.option pop
  lui sp, 0x100
  call main
  lui t0, 0x80000
  sw a0, 4(t0)
"""

# Prints with put(); recursion, tables, 64-bit and signed arithmetic, bytes and halfwords.
PROGRAM = """
#include <stdint.h>
void put(uint32_t);
static const int16_t table[] = {-5, 7, -32768, 32767, 0, 123};
static uint8_t bytes[64];
static uint32_t ackermann(uint32_t m, uint32_t n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
  uint64_t wide = 0x0123456789abcdefu;
  int64_t narrow = -1234567890123;
  uint32_t lfsr = 0xace1u;
  put(ackermann(2, 3));
  for (int i = 0; i < 200; i++) {
    lfsr = lfsr >> 1 ^ (-(lfsr & 1u) & 0xb400u);
    bytes[lfsr % 64u] = (uint8_t)(bytes[lfsr % 64u] + lfsr);
    wide = wide * 6364136223846793005u + lfsr;
    narrow = narrow / (int32_t)(lfsr % 7u + 1u) * 5 - table[i % 6] % (int16_t)(i + 3);
    put((uint32_t)(wide >> 29));
    put((uint32_t)narrow);
  }
  for (int i = 0; i < 64; i++) put(bytes[i]);
  return 42;
}
"""


def compiled(
    folder: Path, sources: list[Path], flags: list[str], optimisation: str = "-O2"
) -> bytearray:
    """Link sources after a minimal start-up code at address 0 and return 1 MiB of memory."""
    (folder / "start.s").write_text(START)
    subprocess.run(
        [
            *(f"{CROSS}gcc", "--specs=picolibc.specs", *ARCH, optimisation, "-nostartfiles", "-w"),
            *("-Wl,--no-warn-rwx-segments", *flags),
            *(str(folder / "start.s"), *map(str, sources), "-o", str(folder / "t.elf")),
            *("-T", str(ROOT / "sw" / "hal" / "link.ld")),
        ],
        check=True,
    )
    subprocess.run([f"{CROSS}objcopy", "-O", "binary", "t.elf", "t.bin"], cwd=folder, check=True)
    memory = bytearray(1 << 20)
    image = (folder / "t.bin").read_bytes()
    memory[: len(image)] = image
    return memory


@needs_compiler
@pytest.mark.parametrize("optimisation", ["-O0", "-O3", "-Os"])
def test_compiled_programs_do_what_the_host_does(tmp_path: Path, optimisation: str) -> None:
    """A C program, compiled for the model and for the host."""
    program = tmp_path / "program.c"
    program.write_text(
        PROGRAM + "\n#ifdef __riscv\n"
        "void put(uint32_t x) { *(volatile uint32_t *)0x80000010 = x; }\n"
        "#else\n#include <stdio.h>\nvoid put(uint32_t x) { fwrite(&x, 4, 1, stdout); }\n#endif\n"
    )
    subprocess.run(["cc", "-w", str(program), "-o", str(tmp_path / "host")], check=True)
    host = subprocess.run([tmp_path / "host"], capture_output=True, check=False)
    assert host.returncode == 42
    iss = Iss(compiled(tmp_path, [program], [], optimisation))
    iss.run()
    assert iss.device.exit_code == 42
    assert bytes(iss.device.output) == host.stdout


KERNEL_MAIN = """
#include "aes_kernel.h"
static aes_key_t k;
static uint32_t key[8], data[4 * BLOCKS];
static void words(uint32_t *w, unsigned n) { while (n--) *w++ = *(volatile uint32_t *)0x8000000c; }
int main(void) {
  words(key, 8);
  words(data, 4 * BLOCKS);
  for (unsigned bits = 128; bits <= 256; bits += 64) {
    for (int decrypt = 0; decrypt < 2; decrypt++) {
      int status = (decrypt ? aes_set_decrypt_key : aes_set_encrypt_key)(&k, (uint8_t *)key, bits);
      if (status == AES_ERR_UNSUPPORTED) continue;
      if (status != AES_OK) return 1;
      status = (decrypt ? aes_decrypt_blocks : aes_encrypt_blocks)(
          &k, (uint8_t *)data, (uint8_t *)data, BLOCKS);
      if (status != AES_OK) return 2;
      for (unsigned i = 0; i < 4 * BLOCKS; i++) *(volatile uint32_t *)0x80000010 = data[i];
    }
  }
  return 0;
}
"""


def instruction_variants() -> list[tuple[Accelerator, str]]:
    """Every variant of every accelerator whose kernel uses custom operations."""
    return [
        (accelerator, variant.name)
        for accelerator in discover()
        if accelerator.manifest.kind == "instruction"
        for variant in accelerator.manifest.variant
    ]


@needs_compiler
@pytest.mark.parametrize(
    ("accelerator", "variant"),
    [pytest.param(a, v, id=f"{a.name}-{v}") for a, v in instruction_variants()],
)
def test_kernels_run_on_the_model(accelerator: Accelerator, variant: str, tmp_path: Path) -> None:
    """The kernel with real encodings, the operations from the accelerator's Python model."""
    blocks = 5
    found = accelerator.variant(variant)
    manifest = accelerator.manifest
    generated = codegen.generate(tmp_path / "generated", accelerator, found)
    (tmp_path / "main.c").write_text(KERNEL_MAIN)
    flags = [f"-D{word}" for word in (*manifest.macros(found), *found.defines)]
    flags.append(f"-DBLOCKS={blocks}")
    flags += [f"-I{ROOT / 'sw' / 'include'}", f"-I{generated.include}"]
    memory = compiled(
        tmp_path,
        [tmp_path / "main.c", *accelerator.kernel_files()],
        [*flags, *manifest.sw.cflags, *found.cflags],
    )
    model = load_model(accelerator.file("test/model.py"))
    operations = [
        CustomOperation(op.mnemonic, op.encoding, getattr(model, op.mnemonic))
        for op in codegen.layout(accelerator, found).operations
    ]
    key, data = bytes(range(32)), bytes(17 * i & 255 for i in range(16 * blocks))
    iss = Iss(memory, operations, stream=key + data)
    iss.run()
    assert iss.device.exit_code == 0
    expected = b""
    for size in (16, 24, 32):
        for direction in found.directions:
            cipher = Cipher(algorithms.AES(key[:size]), modes.ECB())
            context = cipher.encryptor() if direction == "encrypt" else cipher.decryptor()
            data = context.update(data) + context.finalize()
            expected += data
    assert bytes(iss.device.output) == expected
