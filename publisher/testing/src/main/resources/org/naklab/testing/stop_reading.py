"""Joins a multicast group on loopback and reads it, until "stop" comes on standard input. "echo" is answered after all that
has arrived so far is read."""
import os
import select
import socket
import sys


def join(group, port):
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    receiver.bind(("", port))
    membership = socket.inet_aton(group) + socket.inet_aton("127.0.0.1")
    receiver.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    receiver.setblocking(False)
    return receiver


def drain(receiver):
    try:
        while True:
            receiver.recv(2048)
    except BlockingIOError:
        pass


def main():
    receiver = join(sys.argv[1], int(sys.argv[2]))
    print("ready", flush=True)
    watched = [sys.stdin.fileno(), receiver]
    while True:
        ready = select.select(watched, [], [])[0]
        if receiver in ready:
            drain(receiver)
        if sys.stdin.fileno() in ready:
            word = os.read(sys.stdin.fileno(), 64)
            if not word:
                return
            # Both words may come in one piece.
            if b"stop" in word:
                watched.remove(receiver)
            if b"echo" in word:
                drain(receiver)
                print("echo", flush=True)


main()
