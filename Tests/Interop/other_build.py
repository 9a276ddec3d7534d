#!/usr/bin/env python3
"""Makes a server of another build: Tests/Interop/other_build.py PROGRAM OUTPUT [NUMBER]

OUTPUT is a copy of PROGRAM, a built letsswitch-server, whose page has another hash, as if one of its files had changed.
The hash follows from NUMBER, which is 1 unless it is given. So tests of an update need no second run of the compiler.
"""

import base64
import gzip
import hashlib
import os
import re
import sys
import zlib


def packed(text, size):
    """The text in gzip's format, in that many bytes: a comment fills it up. None if it does not fit."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = deflate.compress(text) + deflate.flush()
    tail = zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little")
    left = size - 10 - len(body) - len(tail)
    if left < 0:
        return None
    head = bytes([0x1F, 0x8B, 8, 0x10 if left else 0, 0, 0, 0, 0, 2, 3])
    return head + (b"." * (left - 1) + b"\0" if left else b"") + body + tail


def changed(program, number):
    with open(program, "rb") as file:
        data = file.read()
    hashes = set(re.findall(rb"/page/([0-9a-f]{16})/welcome\.js", data))
    if len(hashes) != 1:
        sys.exit(f"{program} has {len(hashes)} pages.")
    old = hashes.pop()
    literals = []
    for match in re.finditer(rb"H4sI[A-Za-z0-9+/]{60,}={0,2}", data):
        small = base64.b64decode(match.group())
        text = gzip.decompress(small)
        if old in text:
            literals.append((match.group(), len(small), text))
    if not literals:
        sys.exit(f"{program} has no compressed file that names the page.")
    # Hashes differ in how well they compress, and each literal keeps its length.
    for attempt in range(10_000):
        new = hashlib.sha256(f"{number} {attempt}".encode()).hexdigest()[:16].encode()
        texts = [packed(text.replace(old, new), size) for _, size, text in literals]
        if None not in texts:
            break
    else:
        sys.exit("No hash fits.")
    for (literal, _, _), text in zip(literals, texts):
        data = data.replace(literal, base64.b64encode(text))
    return data.replace(old, new)


def main(program, output, number="1"):
    data = changed(program, number)
    new = f"{output}.{os.getpid()}"
    with open(new, "wb") as file:
        file.write(data)
    os.chmod(new, 0o755)
    os.replace(new, output)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    main(*sys.argv[1:])
