"""Receives UDP on loopback in its first thread, under a lock that a second thread holds for 300 ms in every two seconds. A third thread sends."""
import socket
import threading
import time

book = threading.Lock()
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
receiver.bind(("127.0.0.1", 0))


def report():
    while True:
        time.sleep(2)
        with book:
            time.sleep(0.3)


def send():
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        sender.sendto(bytes(200), receiver.getsockname())
        time.sleep(0.001)


threading.Thread(target=report, daemon=True).start()
threading.Thread(target=send, daemon=True).start()
while True:
    receiver.recv(2048)
    with book:
        pass
