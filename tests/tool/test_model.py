# SPDX-License-Identifier: Apache-2.0
"""The model of AES against FIPS 197's printed examples, OpenSSL, and the laws it must obey."""

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers import modes as openssl_modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from hypothesis import given, settings
from hypothesis import strategies as st

from aesforge.model import columns, fips197, modes, tower

pytestmark = pytest.mark.quick

keys = st.sampled_from((16, 24, 32)).flatmap(lambda n: st.binary(min_size=n, max_size=n))
blocks = st.binary(min_size=16, max_size=16)
bytes8 = st.integers(0, 255)
words32 = st.integers(0, 0xFFFFFFFF)
some = settings(max_examples=30, deadline=None)


def openssl(key: bytes, mode: openssl_modes.Mode, text: bytes, encrypt: bool = True) -> bytes:
    """Encrypt or decrypt with OpenSSL."""
    cipher = Cipher(AES(key), mode)
    run = cipher.encryptor() if encrypt else cipher.decryptor()
    return run.update(text) + run.finalize()


# Field and boxes ----------------------------------------------------------------------------------


def test_field_examples_of_the_standard() -> None:
    """4.2: {57} * {83} = {c1}; 4.2.1: {57} * {13} = {fe}; 5.1.1: the S-box of {53} is {ed}."""
    assert fips197.gmul(0x57, 0x83) == 0xC1
    assert [fips197.xtime(a) for a in (0x57, 0xAE, 0x47, 0x8E)] == [0xAE, 0x47, 0x8E, 0x07]
    assert fips197.gmul(0x57, 0x13) == 0xFE
    assert fips197.SBOX[0x53] == 0xED


@given(bytes8, bytes8, bytes8)
def test_field_laws(a: int, b: int, c: int) -> None:
    """Commutative, associative, distributive, with 1."""
    mul = fips197.gmul
    assert mul(a, b) == mul(b, a)
    assert mul(a, mul(b, c)) == mul(mul(a, b), c)
    assert mul(a, b ^ c) == mul(a, b) ^ mul(a, c)
    assert mul(a, 1) == a


def test_inverses_and_boxes() -> None:
    """Every non-zero byte times its inverse is 1; the boxes are inverse permutations."""
    assert fips197.INVERSE[0] == 0
    assert all(fips197.gmul(a, fips197.INVERSE[a]) == 1 for a in range(1, 256))
    assert all(fips197.affine_inv(fips197.affine(a)) == a for a in range(256))
    assert all(fips197.INV_SBOX[fips197.SBOX[a]] == a for a in range(256))
    assert sorted(fips197.SBOX) == list(range(256))


@given(blocks)
def test_transformations_have_inverses(state: bytes) -> None:
    """ShiftRows, SubBytes and MixColumns and their inverses undo each other."""
    assert fips197.inv_shift_rows(fips197.shift_rows(state)) == state
    assert fips197.inv_sub_bytes(fips197.sub_bytes(state)) == state
    assert fips197.inv_mix_columns(fips197.mix_columns(state)) == state


# Appendix A: key expansion, words as printed ------------------------------------------------------

EXPANSIONS = {
    "A.1": """2b7e1516 28aed2a6 abf71588 09cf4f3c a0fafe17 88542cb1 23a33939 2a6c7605 f2c295f2
        7a96b943 5935807a 7359f67f 3d80477d 4716fe3e 1e237e44 6d7a883b ef44a541 a8525b7f b671253b
        db0bad00 d4d1c6f8 7c839d87 caf2b8bc 11f915bc 6d88a37a 110b3efd dbf98641 ca0093fd 4e54f70e
        5f5fc9f3 84a64fb2 4ea6dc4f ead27321 b58dbad2 312bf560 7f8d292f ac7766f3 19fadc21 28d12941
        575c006e d014f9a8 c9ee2589 e13f0cc8 b6630ca6""",
    "A.2": """8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b fe0c91f7 2402f5a5 ec12068e
        6c827f6b 0e7a95b9 5c56fec2 4db7b4bd 69b54118 85a74796 e92538fd e75fad44 bb095386 485af057
        21efb14f a448f6d9 4d6dce24 aa326360 113b30e6 a25e7ed5 83b1cf9a 27f93943 6a94f767 c0a69407
        d19da4e1 ec1786eb 6fa64971 485f7032 22cb8755 e26d1352 33f0b7b3 40beeb28 2f18a259 6747d26b
        458c553e a7e1466c 9411f1df 821f750a ad07d753 ca400538 8fcc5006 282d166a bc3ce7b5 e98ba06f
        448c773c 8ecc7204 01002202""",
    "A.3": """603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4 9ba35411
        8e6925af a51a8b5f 2067fcde a8b09c1a 93d194cd be49846e b75d5b9a d59aecb8 5bf3c917 fee94248
        de8ebe96 b5a9328a 2678a647 98312229 2f6c79b3 812c81ad dadf48ba 24360af2 fab8b464 98c5bfc9
        bebd198e 268c3ba7 09e04214 68007bac b2df3316 96e939e4 6c518d80 c814e204 76a9fb8a 5025c02d
        59c58239 de136967 6ccc5a71 fa256395 9674ee15 5886ca5d 2e2f31d7 7e0af1fa 27cf73c3 749c47ab
        18501dda e2757e4f 7401905a cafaaae3 e4d59b34 9adf6ace bd10190d fe4890d1 e6188d0b 046df344
        706c631e""",
}


@pytest.mark.parametrize("name", EXPANSIONS)
def test_key_expansion_examples(name: str) -> None:
    """Every word of appendices A.1 to A.3."""
    words = EXPANSIONS[name].split()
    nk = {44: 4, 52: 6, 60: 8}[len(words)]
    key = bytes.fromhex("".join(words[:nk]))
    assert [w.hex() for w in fips197.expand_words(key)] == words


# Appendices B and C: intermediate states ----------------------------------------------------------

PLAIN = "00112233445566778899aabbccddeeff"
C_KEY = bytes(range(32))
C_RESULTS = {
    16: "69c4e0d86a7b0430d8cdb78070b4c55a",
    24: "dda97ca4864cdfe06eaf70a0ec0d7191",
    32: "8ea2b7ca516745bfeafc49904b496089",
}

# (round, step) -> value: some of the first two and the last rounds of B and C.1 to C.3.
STATES = {
    "B": (
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3243f6a8885a308d313198a2e0370734",
        {
            (1, "start"): "193de3bea0f4e22b9ac68d2ae9f84808",
            (1, "s_box"): "d42711aee0bf98f1b8b45de51e415230",
            (1, "s_row"): "d4bf5d30e0b452aeb84111f11e2798e5",
            (1, "m_col"): "046681e5e0cb199a48f8d37a2806264c",
            (1, "k_sch"): "a0fafe1788542cb123a339392a6c7605",
            (2, "start"): "a49c7ff2689f352b6b5bea43026a5049",
            (10, "start"): "eb40f21e592e38848ba113e71bc342d2",
            (10, "s_row"): "e9317db5cb322c723d2e895faf090794",
            (10, "output"): "3925841d02dc09fbdc118597196a0b32",
        },
    ),
    "C.1": (
        C_KEY[:16].hex(),
        PLAIN,
        {
            (0, "input"): PLAIN,
            (0, "k_sch"): "000102030405060708090a0b0c0d0e0f",
            (1, "start"): "00102030405060708090a0b0c0d0e0f0",
            (1, "s_box"): "63cab7040953d051cd60e0e7ba70e18c",
            (1, "s_row"): "6353e08c0960e104cd70b751bacad0e7",
            (1, "m_col"): "5f72641557f5bc92f7be3b291db9f91a",
            (1, "k_sch"): "d6aa74fdd2af72fadaa678f1d6ab76fe",
            (2, "start"): "89d810e8855ace682d1843d8cb128fe4",
            (10, "start"): "bd6e7c3df2b5779e0b61216e8b10b689",
            (10, "s_box"): "7a9f102789d5f50b2beffd9f3dca4ea7",
            (10, "s_row"): "7ad5fda789ef4e272bca100b3d9ff59f",
            (10, "k_sch"): "13111d7fe3944a17f307a78b4d2b30c5",
            (10, "output"): C_RESULTS[16],
        },
    ),
    "C.2": (
        C_KEY[:24].hex(),
        PLAIN,
        {
            (1, "start"): "00102030405060708090a0b0c0d0e0f0",
            (1, "m_col"): "5f72641557f5bc92f7be3b291db9f91a",
            (1, "k_sch"): "10111213141516175846f2f95c43f4fe",
            (2, "start"): "4f63760643e0aa85aff8c9d041fa0de4",
            (12, "k_sch"): "a4970a331a78dc09c418c271e3a41d5d",
            (12, "output"): C_RESULTS[24],
        },
    ),
    "C.3": (
        C_KEY.hex(),
        PLAIN,
        {
            (1, "k_sch"): "101112131415161718191a1b1c1d1e1f",
            (2, "start"): "4f63760643e0aa85efa7213201a4e705",
            (2, "k_sch"): "a573c29fa176c498a97fce93a572c09c",
            (14, "k_sch"): "24fc79ccbf0979e9371ac23c6d68de36",
            (14, "output"): C_RESULTS[32],
        },
    ),
}


@pytest.mark.parametrize("name", STATES)
def test_intermediate_states(name: str) -> None:
    """The cipher passes through the printed states; the inverse ciphers come back through them."""
    key, plain, states = STATES[name]
    seen: dict[tuple[int, str], str] = {}

    def trace(i: int, step: str, state: bytes) -> None:
        seen[i, step] = state.hex()

    out = fips197.cipher(bytes.fromhex(plain), bytes.fromhex(key), trace)
    assert {place: seen[place] for place in states} == states
    nr = fips197.rounds(bytes.fromhex(key))

    # Appendix C, inverse cipher: round i undoes round nr + 1 - i of the cipher, state by state.
    forward = dict(seen)
    fips197.inv_cipher(out, bytes.fromhex(key), trace)
    for i in range(1, nr + 1):
        undone = nr + 1 - i
        assert seen[i, "istart"] == forward[undone, "s_row"]
        assert seen[i, "is_row"] == forward[undone, "s_box"]
        assert seen[i, "is_box"] == forward[undone, "start"]
        assert seen[i, "ik_sch"] == forward[undone - 1, "k_sch"]
        if i < nr:
            assert seen[i, "ik_add"] == forward[undone - 1, "m_col"]
    assert seen[nr, "ioutput"] == plain

    # Appendix C, equivalent inverse cipher: steps in the order of the cipher.
    fips197.eq_inv_cipher(out, bytes.fromhex(key), trace)
    for i in range(1, nr + 1):
        undone = nr + 1 - i
        assert seen[i, "istart"] == forward[undone, "s_row"]
        assert seen[i, "is_row"] == forward[undone, "start"]
    assert seen[nr, "ioutput"] == plain


def test_equivalent_key_schedule_example() -> None:
    """Appendix C.1, equivalent inverse cipher: ik_sch of round 1 and im_col of round 1."""
    key = C_KEY[:16]
    seen: dict[tuple[int, str], str] = {}
    fips197.eq_inv_cipher(
        bytes.fromhex(C_RESULTS[16]), key, lambda i, step, s: seen.update({(i, step): s.hex()})
    )
    assert seen[1, "ik_sch"] == "13aa29be9c8faff6f770f58000f7bf03"
    assert seen[1, "im_col"] == "4773b91ff72f354361cb018ea1e6cf2c"
    assert seen[1, "is_box"] == "bdb52189f261b63d0b107c9e8b6e776e"


# Against OpenSSL ----------------------------------------------------------------------------------


@some
@given(keys, blocks)
def test_block_equals_openssl(key: bytes, block: bytes) -> None:
    """Cipher, inverse cipher and equivalent inverse cipher, any key and block."""
    ciphertext = openssl(key, openssl_modes.ECB(), block)
    assert fips197.cipher(block, key) == ciphertext
    assert fips197.inv_cipher(ciphertext, key) == block
    assert fips197.eq_inv_cipher(ciphertext, key) == block


@some
@given(
    keys, blocks, st.integers(0, 4).flatmap(lambda n: st.binary(min_size=16 * n, max_size=16 * n))
)
def test_ecb_and_cbc_equal_openssl(key: bytes, iv: bytes, text: bytes) -> None:
    """Whole blocks, none to four, both ways."""
    ecb = openssl(key, openssl_modes.ECB(), text)
    assert modes.ecb_encrypt(key, text) == ecb
    assert modes.ecb_decrypt(key, ecb) == text
    cbc = openssl(key, openssl_modes.CBC(iv), text)
    assert modes.cbc_encrypt(key, iv, text) == cbc
    assert modes.cbc_decrypt(key, iv, cbc) == text


@some
@given(keys, st.integers(0, 3), st.binary(max_size=70))
def test_ctr_equals_openssl_over_every_wrap(key: bytes, left: int, text: bytes) -> None:
    """Any length, with counters that carry through all 128 bits and wrap to zero."""
    for top in (1 << 32, 1 << 64, 1 << 96, 1 << 128):
        counter = (top - 1 - left).to_bytes(16, "big")
        ciphertext = openssl(key, openssl_modes.CTR(counter), text)
        assert modes.ctr(key, counter, text) == ciphertext
        assert modes.ctr(key, counter, ciphertext) == text


# Errors -------------------------------------------------------------------------------------------


def test_wrong_lengths_are_refused() -> None:
    """Keys, blocks, initialisation vectors and texts of a wrong length are ValueErrors."""
    key, block = bytes(16), bytes(16)
    for n in (0, 15, 17, 23, 33, 64):
        with pytest.raises(ValueError, match=f"16, 24 or 32 bytes, not {n}"):
            fips197.expand_key(bytes(n))
    for function in (fips197.cipher, fips197.inv_cipher, fips197.eq_inv_cipher):
        with pytest.raises(ValueError, match="block has 16 bytes, not 15"):
            function(bytes(15), key)
    for chained in (modes.cbc_encrypt, modes.cbc_decrypt, modes.ctr):
        with pytest.raises(ValueError, match="has 16 bytes, not 12"):
            chained(key, bytes(12), block)
    for plain in (modes.ecb_encrypt, modes.ecb_decrypt):
        with pytest.raises(ValueError, match="17 bytes are not whole blocks"):
            plain(key, bytes(17))


# Words --------------------------------------------------------------------------------------------


@given(blocks)
def test_words_and_bytes(state: bytes) -> None:
    """Row 0 is the low byte; words and block are each other's inverse; a rotation moves rows."""
    words = columns.words(state)
    assert columns.block(words) == state
    assert [columns.byte(words[1], r) for r in range(4)] == list(state[4:8])
    assert columns.byte(columns.rotl32(words[0], 8), 1) == state[0]


@given(words32)
def test_table_words_add_up_to_a_round(word: int) -> None:
    """Four T-table words make SubBytes and MixColumns of a column; the same for the inverse."""
    table = inverse = 0
    for r in range(4):
        table ^= columns.table_word(columns.byte(word, r), r)
        inverse ^= columns.inv_table_word(columns.byte(word, r), r)
    assert table == columns.mix_word(columns.sub_word(word))
    assert inverse == columns.inv_mix_word(columns.inv_sub_word(word))


def test_table_word_layout() -> None:
    """Row 0 of an input column gives (2s, s, s, 3s) from the low byte up (FIPS 197, 5.1.3)."""
    s = fips197.SBOX[0x01]
    rows = [columns.byte(columns.table_word(0x01, 0), r) for r in range(4)]
    assert rows == [fips197.gmul(2, s), s, s, fips197.gmul(3, s)]


# Towers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", [tower.kale_tower(), tower.canright_tower()])
def test_tower_maps(field: tower.Tower) -> None:
    """The two maps are inverse; with an inversion between them the four make both S-boxes."""
    into, out = field.to_tower, field.from_tower
    assert all(tower.apply(into, tower.apply(out, a)) == a for a in range(256))
    for a in range(256):
        t = tower.apply(into, fips197.INVERSE[tower.apply(out, tower.apply(into, a))])
        assert tower.apply(field.out_forward, t) ^ 0x63 == fips197.SBOX[a]
        u = tower.apply(field.in_inverse, a ^ 0x63)
        v = tower.apply(into, fips197.INVERSE[tower.apply(out, u)])
        assert tower.apply(out, v) == fips197.INV_SBOX[a]


def test_tower_products_are_those_of_its_polynomials() -> None:
    """Kale's field: z^4 = z + 1 on the low half, y^2 = y + 13 above it, seen through the maps."""
    field = tower.kale_tower()

    def mul(a: int, b: int) -> int:
        product = fips197.gmul(tower.apply(field.from_tower, a), tower.apply(field.from_tower, b))
        return tower.apply(field.to_tower, product)

    z, y = 0x02, 0x10
    z4 = mul(mul(z, z), mul(z, z))
    assert z4 == z ^ 1
    assert mul(y, y) == y ^ 13
    assert mul(y, z) == 0x20


def test_singular_matrices_are_refused() -> None:
    """A map that is not one-to-one has no inverse."""
    with pytest.raises(ValueError, match="singular"):
        tower.invert((1, 1, 4, 8, 16, 32, 64, 128))
