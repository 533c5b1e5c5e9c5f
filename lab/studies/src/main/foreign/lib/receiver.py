"""A receiver that a disturbance brings along, with its sender, for `naklab watch` to observe.

The receiver prints "port NUMBER" and then spans, one per line: a name, begin and end in ns of CLOCK_MONOTONIC. Each receiver prints "gap" if 20 ms or more passed
between two datagrams; what else it prints is the proof of its disturbance. It takes words, one per line, on standard input. Its thread that receives is called
"recv", or is its first thread.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time

import foreign

_LIBRARY = pathlib.Path(__file__).resolve().parent
_RATE = 2_000
_BYTES = 200
_READY_S = 40
_SEEN_S = 3


class Program:
    """The source of a receiver and how to start it."""

    def __init__(self, source, file, command, compiler=None, tools=(), environment=None):
        self._source, self._file, self._command, self._compiler, self.tools = source, file, command, compiler, tools
        self._environment = environment or {}

    def start(self, work, **options):
        """Writes, compiles and starts it in a directory."""
        (work / self._file).write_text(self._source)
        if self._compiler:
            foreign.command(*[word.format(work=work) for word in self._compiler], timeout=_READY_S)
        environment = {**os.environ, **{key: value.format(work=work) for key, value in self._environment.items()}}
        return subprocess.Popen([word.format(work=work) for word in self._command], env=environment, **options)


def c(source, *flags, environment=None):
    """A program in C that defines on_datagram() and on_word() of receiver.h."""
    return Program('#include "receiver.h"\n' + source, "receiver.c", ["{work}/c-receiver"],
                   ["gcc", "-O1", "-g", "-pthread", f"-I{_LIBRARY}", "-o", "{work}/c-receiver", "{work}/receiver.c", *flags], ["gcc"],
                   environment)


def java(source, *flags):
    """A program in Java with the class Receiver. What all have in common is in receiver.java."""
    common = (_LIBRARY / "receiver.java").read_text()
    return Program(common.replace("/* ON_WORD_AND_ON_DATAGRAM */", source), "Receiver.java",
                   [foreign.jdk("java") or "java", *flags, "{work}/Receiver.java"], tools=["java"])


def python(source):
    """A program in Python that defines on_datagram(datagram) and on_word(word)."""
    return Program(source + "\n\nimport python_receiver\npython_receiver.run(on_datagram, on_word)\n", "receiver-main.py",
                   [_python(), "-B", "{work}/receiver-main.py"], tools=["python3"], environment={"PYTHONPATH": str(_LIBRARY)})


def go(source, *imports):
    """A program in Go that defines onDatagram([]byte) and onWord(string). What all have in common is in receiver.go.txt."""
    common = (_LIBRARY / "receiver.go.txt").read_text()
    return Program(common.replace('"bufio"', "\n\t".join(f'"{each}"' for each in ["bufio", *imports])) + source, "receiver.go", ["{work}/go-receiver"],
                   ["go", "build", "-o", "{work}/go-receiver", "{work}/receiver.go"], ["go"])


def _python():
    """A shell script in between would be the process that is watched."""
    return os.path.realpath("/proc/self/exe")


class Watched(foreign.Run):
    """The receiver under watch. Its thread that receives is the one whose states are sampled."""

    @property
    def service(self):
        return int(os.environ["NAKLAB_PID_RECEIVER"])

    @property
    def context(self):
        try:
            return foreign.thread(self.service, "recv")
        except foreign.NotMade:
            return self.service

    def tell(self, *words):
        """Sends a line of words to the receiver."""
        with open(self.work / "words", "w") as pipe:
            pipe.write(" ".join(str(word) for word in words) + "\n")

    def spans(self, name):
        """Returns what the receiver measured under this name since the disturbance began: begin and end in ns."""
        found = []
        for line in (self.work / "spans").read_text().splitlines():
            words = line.split()
            if len(words) == 3 and words[0] == name and int(words[2]) >= self.began_ns:
                found.append((int(words[1]), int(words[2])))
        return found

    def span(self, name, at_least_ms):
        """Waits for the longest span of this name, which must be this long."""
        deadline = time.monotonic() + self.length_s + _SEEN_S
        while True:
            longest = max(self.spans(name), key=lambda span: span[1] - span[0], default=(0, 0))
            if longest[1] - longest[0] >= at_least_ms * 1e6:
                return longest
            foreign.need(time.monotonic() < deadline, f"the longest {name} of the receiver is {ms(longest):.0f} ms, {at_least_ms:.0f} ms are needed")
            time.sleep(0.01)

    def stalled_by(self, name, share=0.8):
        """Waits until the receiver stood still for most of the length within a span of this name that it measured; returns the proof's text."""
        wanted = self.length_s * 1000 * share
        return self.stalled_within(name, self.span(name, wanted), share)

    def stalled_within(self, name, cause, share=0.8):
        """Waits until the receiver stood still for most of the length within a span; returns the proof's text."""
        wanted = self.length_s * 1000 * share
        gap = self.span("gap", wanted)
        both = ms((max(cause[0], gap[0]), min(cause[1], gap[1])))
        text = f"received nothing for {ms(gap):.0f} ms, {both:.0f} ms of them in {name}"
        foreign.need(both >= wanted, text)
        return text


def ms(span):
    return (span[1] - span[0]) / 1e6


def need_tool(name):
    """Refuses a machine without this compiler or interpreter."""
    if name == "java":
        foreign.need_jdk(name)
    else:
        foreign.need_command(name)


def main(program, disturb, check=lambda: None, prepare=None, undo=None):
    """Runs the script of a disturbance with target watch: as foreign.main(), with the word `receive`."""

    def check_all():
        for name in program.tools:
            need_tool(name)
        check()

    def measured(run):
        run.began_ns = foreign.now_ns()
        with foreign.Witness(run.service, run.context) as witness:
            text = disturb(run)
        return f"{text}; {witness.text()}", witness.also()

    foreign.main(measured, check=check_all, prepare=prepare, undo=undo, receive=lambda run: _receive(run, program), run=Watched)


def _receive(run, program):
    """Runs the receiver and its sender until standard input ends."""
    os.mkfifo(run.work / "words")
    words = os.open(run.work / "words", os.O_RDWR)
    process = program.start(run.work, stdin=words, stdout=subprocess.PIPE, text=True,
                            preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))  # PR_SET_PDEATHSIG
    signal.signal(signal.SIGTERM, lambda *unused: process.kill())
    ended = threading.Event()
    try:
        kind, port = process.stdout.readline().split() or ("", "0")
        foreign.need(kind == "port", "the receiver did not begin")
        threading.Thread(target=_send, args=(int(port), ended), daemon=True).start()
        threading.Thread(target=_keep, args=(process.stdout, run.work / "spans"), daemon=True).start()
        print(json.dumps({"pid": process.pid}), flush=True)
        while os.read(0, 4096):
            pass
    finally:
        ended.set()
        process.kill()
        process.wait()


def _keep(lines, file):
    with open(file, "w", buffering=1) as out:
        for line in lines:
            out.write(line)


def _send(port, ended):
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagram = bytes(_BYTES)
    due = time.monotonic()
    while not ended.is_set():
        with contextlib.suppress(ConnectionRefusedError):
            out.sendto(datagram, ("127.0.0.1", port))
        due = max(due + 1 / _RATE, time.monotonic() - 0.01)
        time.sleep(max(0.0, due - time.monotonic()))


def fork(action):
    """Runs something in a child process that ends with this one; returns its process id."""
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() == parent:
            action()
    finally:
        os._exit(0)
