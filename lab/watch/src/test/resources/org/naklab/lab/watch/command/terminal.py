"""Runs a program in a pseudo terminal. Arguments: sizes as COLUMNSxROWS, then the last input ("line" or "interrupt"), then the command.

The first size holds from the beginning. The program shows "step N" on its screen, from 0 on; then the terminal gets the next size, and the program a line. At the end the
program gets the last input. Printed is what the program wrote, as hexadecimal, a line for each size and one for the rest, and at last the exit code.
"""

import fcntl
import os
import pty
import signal
import struct
import sys
import termios

IS_DUMB = os.environ["TERM"] == "dumb"
END_OF_FRAME = b"\x1b[J"


def set_size(fd, size):
    columns, rows = (int(part) for part in size.split("x"))
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def start(size, command):
    pid, fd = pty.fork()
    if pid == 0:
        settings = termios.tcgetattr(0)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, settings)
        set_size(0, size)
        # A build in the background ignores Ctrl-C, and so would the program.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(command[0], command)
    return pid, fd


def read_until(fd, mark):
    data = b""
    while True:
        at = data.find(mark)
        if at >= 0 and (IS_DUMB or data.find(END_OF_FRAME, at) >= 0):
            return data
        try:
            data += os.read(fd, 65536)
        except OSError:
            sys.exit("the program has ended: " + data.decode(errors="replace"))


def read_rest(fd):
    data = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:  # what Linux says when the program has closed its side
            return data
        if not part:
            return data
        data += part


def main(arguments):
    last = next(i for i, word in enumerate(arguments) if word in ("line", "interrupt"))
    sizes, command = arguments[:last], arguments[last + 1 :]
    pid, fd = start(sizes[0], command)
    for step, size in enumerate(sizes):
        if step > 0:
            set_size(fd, size)
            os.write(fd, b"\n")
        print(read_until(fd, b"step %d" % step).hex())
    os.write(fd, b"end\n" if arguments[last] == "line" else b"\x03")
    print(read_rest(fd).hex())
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main(sys.argv[1:])
