# SPDX-License-Identifier: Apache-2.0
"""Random calls of CCM, GCM-SIV, key wrap, CMAC and XTS between those of `Fuzzer`.

CCM, GCM-SIV and key wrap take the kernel's keys, which other calls copy, wipe and free; CMAC and
XTS have keys of their own. What a call must return is what the headers in sw/include say.
"""

from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from aesforge.reference import modes
from fuzz_support import (
    DEVICE_FAILED,
    EDGES,
    KEY_LENGTH,
    KEY_ZERO,
    LENGTH,
    NO_KEY,
    OK,
    TAG,
    UNSUPPORTED,
    UNTOUCHED,
    Fuzzer,
    KeyState,
    Reply,
)

WEAK_KEY = -9
OWN_KEYS = 3  # of CMAC, and of XTS
NONE = KeyState()
CCM_TAGS = (4, 6, 8, 10, 12, 14, 16)

# The use of a key, and what wraps or unwraps with it.
WRAPS = {
    "encrypt": ("kw_wrap", "kwp_wrap", "kw_unwrap_inverse", "kwp_unwrap_inverse"),
    "decrypt": ("kw_unwrap", "kwp_unwrap", "kw_wrap_inverse", "kwp_wrap_inverse"),
}


class SealedFuzzer(Fuzzer):
    """Random calls of all modes on one program."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.own = {"cmac": [NONE] * OWN_KEYS, "xts": [NONE] * OWN_KEYS}

    def groups(self) -> list[tuple[Callable[[], None], int]]:
        """What is drawn, and how often."""
        more = [(self.change_own_key, 12), (self.cmac, 12), (self.xts, 12)]
        return [*super().groups(), *more, (self.sealed, 24), (self.wrap, 12)]

    # Judging

    def refused(self, reply: Reply, written: int, *, may_zero: bool = True) -> None:
        """Zeros in what the call may write, or nothing at all where a length was refused."""
        out = reply.out[:written]
        good = not any(out) if may_zero else out == reply.before[:written]
        self.require(good, "an error, but output")
        self.require(reply.out[written:] == reply.before[written:], "output after its end")

    def size(self) -> int:
        """Bytes of a text."""
        return self.rng.choice((self.rng.choice(EDGES[:17]), self.rng.randrange(100)))

    def spoiled(self, *parts: bytes) -> list[bytes]:
        """The same bytes with one bit changed in one part that has any."""
        found = list(parts)
        at = self.rng.choice([i for i, part in enumerate(parts) if part])
        place = self.rng.randrange(len(parts[at]))
        changed = found[at][place] ^ 1 << self.rng.randrange(8)
        found[at] = found[at][:place] + bytes([changed]) + found[at][place + 1 :]
        return found

    # CCM and GCM-SIV

    def sealed(self) -> None:
        """One message, good or forged, of a good length or none, whole or (CCM) in pieces."""
        rng = self.rng
        a, state = self.ready_key()
        if state.use == "decrypt":
            return
        mode = rng.choice(("ccm", "siv"))
        key = state.key or bytes(16)
        aad, text = rng.randbytes(rng.choice((0, 20, self.size()))), rng.randbytes(self.size())
        nonce, tag_bytes, piece = rng.randbytes(12), 16, 0
        if mode == "ccm":
            nonce = rng.randbytes(rng.randrange(7, 14))
            tag_bytes = rng.choice(CCM_TAGS)
            piece = rng.choice((0, 0, rng.randrange(1, 40), 16, 400))
        allowed = OK if state.use else NO_KEY
        if mode == "siv" and len(key) == 24:
            allowed = KEY_LENGTH
        elif mode == "ccm" and rng.randrange(10) == 0:
            allowed = LENGTH
            nonce, tag_bytes = rng.choice(
                ((nonce[:6], 16), (nonce + bytes(7), 16), (b"", 16), (nonce, 0), (nonce, 5))
            )
        cipher, tag = b"", b""
        if allowed == OK:
            if mode == "ccm":
                both = AESCCM(key, tag_length=tag_bytes).encrypt(nonce, text, aad)
                cipher, tag = both[:-tag_bytes], both[-tag_bytes:]
            else:
                cipher, tag = modes.seal("gcm-siv", key, nonce, aad, text)
        message = {"iv": nonce, "piece": piece}
        if rng.randrange(2):
            empty = UNTOUCHED * tag_bytes
            reply = self.call(f"{mode}_encrypt", a, data=text, aad=aad, tag=empty, **message)
            if self.status(reply, allowed) and allowed == OK:
                self.require((reply.out, reply.tag) == (cipher, tag), "wrong ciphertext or tag")
                return
            self.require(reply.tag == empty, "an error, but a tag")
        else:
            given, sent, other = (cipher or text, tag or bytes(tag_bytes), aad)
            if allowed == OK and rng.randrange(2):
                given, sent, other = self.spoiled(given, sent, other)
                allowed = TAG
            reply = self.call(f"{mode}_decrypt", a, data=given, aad=other, tag=sent, **message)
            self.require(reply.tag == sent, "a call changed a tag that it was given")
            if self.status(reply, allowed) and allowed == OK:
                self.require(reply.out == text, "wrong plaintext")
                return
        self.require(reply.iv == nonce, "a call changed a nonce")
        if piece == 0:
            whole = allowed not in (LENGTH, KEY_LENGTH)
            self.refused(reply, len(text), may_zero=whole)
        elif not reply.flags & DEVICE_FAILED:  # refused before the first piece of output
            self.refused(reply, 0)

    # Key wrap

    def wrap(self) -> None:
        """Wrap or unwrap with the kernel's key; what is unwrapped is sometimes forged."""
        rng = self.rng
        a, state = self.ready_key()
        use = state.use or rng.choice(("encrypt", "decrypt"))
        op = rng.choice(WRAPS[use])
        key = state.key or bytes(16)
        padded, back = op.startswith("kwp"), "unwrap" in op
        mode = ("kwp" if padded else "kw") + ("-inverse" if op.endswith("inverse") else "")
        plain = rng.randbytes(rng.randrange(1, 60) if padded else 8 * rng.randrange(2, 9))
        sealed = modes.seal(mode, key, b"", b"", plain)[0]
        allowed = OK if state.use else NO_KEY
        source = sealed if back else plain
        if rng.randrange(8) == 0:
            source = source[: rng.choice((0, 8) if back else (0,) if padded else (0, 8, 15))]
            allowed = LENGTH
        elif back and allowed == OK and rng.randrange(3) == 0:
            (source,) = self.spoiled(source)
            allowed = TAG
        room = source.ljust(len(sealed), UNTOUCHED)
        reply = self.call(op, a, data=room, aad=source, bits=len(source))
        # In place, the input before the call is also what the output held.
        written = len(sealed) - (8 if back else 0)
        if self.status(reply, allowed) and allowed == OK:
            right = (plain + bytes(-len(plain) % 8)) if back else sealed
            self.require(reply.out[:written] == right, "wrong output")
            self.require(reply.out[written:] == reply.before[written:], "output after its end")
            self.require(not (back and padded) or reply.rounds == len(plain), "a wrong length")
            return
        self.require(reply.rounds == 0, "an error, but a length")
        self.refused(reply, written, may_zero=allowed != LENGTH)

    # CMAC and XTS

    def change_own_key(self) -> None:
        """Set up, copy, wipe or clear a key of CMAC or XTS."""
        rng = self.rng
        mode, a, b = rng.choice(("cmac", "xts")), rng.randrange(OWN_KEYS), rng.randrange(OWN_KEYS)
        keys = self.own[mode]
        match rng.choice(("set", "set", "set", "set", "copy", "copy", "wipe", "clear")):
            case "copy":
                self.call(f"copy_{mode}", a, b)
                keys[a] = keys[b]
            case "set":
                keys[a] = self.set_cmac(a) if mode == "cmac" else self.set_xts(a)
            case choice:
                reply = self.call(f"{choice}_{mode}", a)
                self.require(bool(reply.flags & KEY_ZERO), "something of the key is left")
                keys[a] = NONE

    def after_set_up(self, reply: Reply, allowed: int, state: KeyState) -> KeyState:
        """The state of a key after its set-up."""
        done = self.status(reply, allowed) and allowed == OK
        self.require(bool(reply.rounds) == done, f"{reply.rounds} rounds after a set-up")
        return state if done else NONE

    def set_cmac(self, a: int) -> KeyState:
        """Set a key of CMAC up, or try to with a length that is none."""
        key, good = self.random_key(), self.rng.randrange(8) != 0
        bits = 8 * len(key) if good else self.rng.choice((0, 64, 130, 512, 2**31))
        reply = self.call("set_cmac", a, data=key, bits=bits)
        return self.after_set_up(reply, OK if good else KEY_LENGTH, KeyState("cmac", key))

    def set_xts(self, a: int) -> KeyState:
        """Set a key of XTS up; a weak one, or a length that is none."""
        rng = self.rng
        use, key = rng.choice(("encrypt", "decrypt")), rng.randbytes(rng.choice((32, 64)))
        bits, allowed = 8 * len(key), OK if use in self.directions else UNSUPPORTED
        if rng.randrange(10) == 0:
            key, allowed = key[: len(key) // 2] * 2, WEAK_KEY
        elif rng.randrange(10) == 0:
            bits, allowed = rng.choice((0, 128, 192, 384, 1024)), KEY_LENGTH
        reply = self.call(f"set_xts_{use}", a, data=key, bits=bits)
        return self.after_set_up(reply, allowed, KeyState(use, key))

    def cmac(self) -> None:
        """A tag, or its verdict."""
        rng, a = self.rng, self.rng.randrange(OWN_KEYS)
        state = self.own["cmac"][a]
        data = rng.randbytes(self.size())
        allowed, size = OK if state.use else NO_KEY, rng.randrange(4, 17)
        piece = rng.choice((0, 0, rng.randrange(1, 40), 16, 400))
        if rng.randrange(10) == 0:
            size = rng.choice((0, 1, 3, 17, 20))
            # In pieces, a context that has no key is refused before the tag's length is known.
            allowed = LENGTH if state.use or piece == 0 else NO_KEY
        tag = modes.seal("cmac", state.key or bytes(16), b"", b"", data)[1].ljust(20)[:size]
        if rng.randrange(2):
            empty = UNTOUCHED * size
            reply = self.call("cmac", a, data=data, tag=empty, piece=piece)
            good = self.status(reply, allowed) and allowed == OK
            self.require(reply.tag == (tag if good else empty), "a wrong tag, or one on an error")
        else:
            if allowed == OK and rng.randrange(2):
                (tag,) = self.spoiled(tag)
                allowed = TAG
            reply = self.call("cmac_verify", a, data=data, tag=tag, piece=piece)
            self.status(reply, allowed)
            self.require(reply.tag == tag, "a call changed a tag that it was given")

    def xts(self) -> None:
        """A data unit; of a key of the other direction, or of a length that is none."""
        rng, a = self.rng, self.rng.randrange(OWN_KEYS)
        state = self.own["xts"][a]
        use = state.use if rng.randrange(6) else rng.choice(("encrypt", "decrypt"))
        use = use or rng.choice(("encrypt", "decrypt"))
        data, tweak = rng.randbytes(self.size()), rng.randbytes(16)
        allowed = OK if state.use == use else NO_KEY
        if len(data) < 16:
            allowed = LENGTH
        sent = data
        if allowed == OK and use == "decrypt":
            sent = modes.seal("xts", state.key, tweak, b"", data)[0]
        reply = self.call(f"xts_{use}", a, data=sent, iv=tweak)
        self.require(reply.iv == tweak, "a call changed a tweak")
        if self.status(reply, allowed) and allowed == OK:
            encrypted = modes.seal("xts", state.key, tweak, b"", data)[0]
            self.require(reply.out == (data if use == "decrypt" else encrypted), "wrong output")
            return
        self.refused(reply, len(sent), may_zero=allowed != LENGTH)
