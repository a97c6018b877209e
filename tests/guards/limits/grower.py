"""A child that takes memory as fast as it is told to, and counts what it has in a file that it maps."""

GROWS = """\
import mmap, struct, sys, time
file = open(sys.argv[1], "r+b")
counter = mmap.mmap(file.fileno(), 4096)
rate, total = float(sys.argv[2]), 2 << 30
memory = mmap.mmap(-1, total)
block = bytes(range(256)) * 4096
began = time.monotonic()
for place in range(0, total, 1 << 20):
    memory[place:place + (1 << 20)] = block
    struct.pack_into("q", counter, 0, place + (1 << 20))
    while rate and place / rate > time.monotonic() - began:
        pass
"""
