"""What the receivers in Python have in common: the first thread receives, a second one takes words. Times are CLOCK_MONOTONIC, in nanoseconds."""
import os
import socket
import sys
import threading
import time

_GAP_NS = 20_000_000


def now_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def print_span(name, began_ns, ended_ns):
    os.write(1, f"{name} {began_ns} {ended_ns}\n".encode())


def run(on_datagram, on_word):
    """Receives until it is killed."""
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    receiver.bind(("127.0.0.1", 0))
    threading.Thread(target=_act, args=(on_word,), daemon=True).start()
    os.write(1, f"port {receiver.getsockname()[1]}\n".encode())
    last = now_ns()
    while True:
        datagram = receiver.recv(2048)
        now = now_ns()
        if now - last >= _GAP_NS:
            print_span("gap", last, now)
        last = now
        on_datagram(datagram)


def _act(on_word):
    for line in sys.stdin:
        on_word(line.strip())
