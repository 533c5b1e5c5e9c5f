"""What the disturbances share: the words of the lab, the undo, and the measurement of a thread from outside.

Nothing here uses the lab's own faults or instruments. Times are CLOCK_MONOTONIC, in nanoseconds.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

_BOUND_S = 30  # A disturbance that does not end by then is undone.
_SAMPLE_S = 0.002
_RUN_QUEUE_MS = 20.0  # A wait for a CPU that is a cause of its own.


class NotMade(Exception):
    """The disturbance could not be made, or took no effect; the message says why."""


def now_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def need(condition, why):
    """Ends with a reason unless the condition holds."""
    if not condition:
        raise NotMade(why)


def need_root():
    need(os.geteuid() == 0, "needs root")


def need_command(*names):
    for name in names:
        need(shutil.which(name), f"needs the command {name}")


def need_jdk(*names):
    for name in names:
        need(jdk(name), f"needs {name} of a JDK")


def need_own_network():
    """Refuses the network of the machine, where others would be disturbed as well."""
    need([name for _, name in socket.if_nameindex()] == ["lo"], "needs a network namespace with loopback only (unshare --net)")


def jdk(name):
    """Returns the path of a tool of the JDK that runs the lab, or of the one on the path."""
    home = os.environ.get("NAKLAB_JAVA_HOME", "")
    own = os.path.join(home, "bin", name)
    return own if os.access(own, os.X_OK) else shutil.which(name)


def command(*words, timeout=20):
    """Runs a command and returns its output."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise NotMade(f"{words[0]} did not end within {timeout} s") from None
    if done.returncode != 0:
        raise NotMade(f"{' '.join(words)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def mount_of(kind, option=None):
    """Returns where a file system of this kind is mounted, or None."""
    for line in pathlib.Path("/proc/mounts").read_text().splitlines():
        _, where, its, options = line.split()[:4]
        if its == kind and (option is None or option in options.split(",")):
            return where
    return None


def syncfs(handle):
    """Writes a file system to its disk; returns 0, or -1 if that failed."""
    return ctypes.CDLL(None).syncfs(handle)


def snmp(protocol, name):
    """Returns a counter of /proc/net/snmp of this network namespace."""
    lines = [line.split() for line in pathlib.Path("/proc/net/snmp").read_text().splitlines()]
    head, values = [line for line in lines if line[0] == protocol + ":"][:2]
    return int(values[head.index(name)])


def exists(pid, ticks):
    """Returns whether a process is the one that had this start time."""
    try:
        return start_ticks(pid) == ticks
    except (FileNotFoundError, ProcessLookupError):
        return False


def start_ticks(pid):
    return int(stat_fields(f"/proc/{pid}/stat")[19])


def tasks(pid):
    return [int(task) for task in os.listdir(f"/proc/{pid}/task")]


def thread(pid, name):
    """Returns the id of the thread with that name."""
    for task in tasks(pid):
        with contextlib.suppress(FileNotFoundError):
            if pathlib.Path(f"/proc/{pid}/task/{task}/comm").read_text().strip() == name:
                return task
    raise NotMade(f"process {pid} has no thread {name}")


def stat_fields(path):
    return pathlib.Path(path).read_text().rpartition(")")[2].split()


class Run:
    """What the lab says about the run."""

    def __init__(self):
        self.work = pathlib.Path(os.environ["NAKLAB_WORK"])
        self.length_s = int(os.environ["NAKLAB_LENGTH_MS"]) / 1000
        self.lead_s = int(os.environ.get("NAKLAB_LEAD_MS", "0")) / 1000

    @property
    def journal(self):
        return pathlib.Path(os.environ["NAKLAB_JOURNAL"])

    @property
    def service(self):
        return int(os.environ["NAKLAB_PID_MDS"])

    @property
    def exchange(self):
        return int(os.environ["NAKLAB_PID_EXCHANGE"])

    @property
    def context(self):
        """The receipt thread of the service."""
        return thread(self.service, "mds-context")

    @property
    def feed(self):
        return os.environ["NAKLAB_FEED_ADDRESS"], int(os.environ["NAKLAB_FEED_PORT"])

    @property
    def interface(self):
        return os.environ["NAKLAB_INTERFACE"]

    def remember(self, **facts):
        """Writes down, before it is done, what undo() will need."""
        known = self.remembered()
        known.update(facts)
        fresh = self.work / ".state.new"
        fresh.write_text(json.dumps(known))
        fresh.replace(self.work / "state")

    def remembered(self):
        with contextlib.suppress(FileNotFoundError):
            return json.loads((self.work / "state").read_text())
        return {}


class Witness:
    """Watches one thread from outside while a disturbance lasts: its states, its longest stretch without CPU time, its run-queue wait."""

    def __init__(self, pid, task):
        self._path = f"/proc/{pid}/task/{task}"
        self._end = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self.state_ms = {}
        self.still_ms = 0.0
        self.waited_ms = 0.0
        self.longest_wait_ms = 0.0

    def _read(self):
        ran, waited = pathlib.Path(self._path + "/schedstat").read_text().split()[:2]
        return int(ran), int(waited), stat_fields(self._path + "/stat")[0]

    def _watch(self):
        ran, waited, _ = self._read()
        first_waited, at, moved = waited, now_ns(), now_ns()
        waited_then = waited
        ran_at_end, deadline = ran, None
        # The kernel adds a wait in the run queue when it ends: the watch lasts until the thread has run once more, or a second.
        while deadline is None or (ran == ran_at_end and at < deadline):
            if deadline is not None:
                time.sleep(_SAMPLE_S)
            elif self._end.wait(_SAMPLE_S):
                ran_at_end, deadline = ran, now_ns() + 10**9
            try:
                its_ran, its_waited, state = self._read()
            except (FileNotFoundError, ProcessLookupError):
                return
            then, at = at, now_ns()
            self.state_ms[state] = self.state_ms.get(state, 0.0) + (at - then) / 1e6
            if its_ran != ran:
                # It ran between the two samples: what it waited in the run queue until then was one stretch at most.
                self.longest_wait_ms = max(self.longest_wait_ms, (its_waited - waited_then) / 1e6)
                waited_then = its_waited
                moved = then
            self.still_ms = max(self.still_ms, (at - moved) / 1e6)
            self.waited_ms = (its_waited - first_waited) / 1e6
            ran, waited = its_ran, its_waited

    def __enter__(self):
        self._watcher.start()
        return self

    def __exit__(self, *unused):
        self._end.set()
        self._watcher.join()

    def also(self):
        """Words of causes that were measured beside the disturbance: a wait for a CPU that makes up half of the longest stretch."""
        return ["cpu-preemption"] if self.longest_wait_ms >= max(_RUN_QUEUE_MS, self.still_ms / 2) else []

    def text(self):
        states = ", ".join(f"{state} {ms:.0f} ms" for state, ms in sorted(self.state_ms.items(), key=lambda each: -each[1]))
        return f"receipt thread without CPU time for {self.still_ms:.0f} ms, run queue {self.waited_ms:.0f} ms, states {states}"


@contextlib.contextmanager
def held(seconds):
    """Lasts for the length of the disturbance."""
    deadline = time.monotonic() + seconds
    yield
    time.sleep(max(0.0, deadline - time.monotonic()))


def hogs(count, nice, policy=None, cpu=None):
    """Starts loops that end with this process; returns their process ids."""
    parent = os.getpid()
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
                if cpu is not None:
                    os.sched_setaffinity(0, {cpu})
                if policy is not None:
                    os.sched_setscheduler(0, policy, os.sched_param(50))
                else:
                    os.nice(nice)
                while os.getppid() == parent:
                    for _ in range(100_000):
                        pass
            finally:
                os._exit(0)
        children.append(child)
    return children


def end(children):
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


class _Lab:
    """The lab holds the other end of standard input, and closes it at the end of the flow. A disturbance that lasts until then is undone."""

    def __init__(self):
        self.flow_ended = threading.Event()
        self._disturbing = True
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while os.read(0, 4096):
            pass
        self.flow_ended.set()
        with self._lock:
            if self._disturbing:
                os.kill(os.getpid(), signal.SIGTERM)

    def disturbed(self):
        """Nothing is left to undo."""
        with self._lock:
            self._disturbing = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def _interrupted(*unused):
    raise NotMade("interrupted")


def _proof(made, text, began=0, ended=0, also=(), beside=()):
    proof = {"made": made, "text": text, "beganNs": began, "endedNs": ended, "also": list(also), "beside": list(beside)}
    print(json.dumps(proof), flush=True)


def main(disturb, check=need_root, prepare=None, undo=None, receive=None, run=Run):
    """Runs the script of a disturbance, as the lab calls it.

    disturb(run) makes the disturbance and returns the text of its proof, or the text and a list of further causes that it measured. It raises NotMade if
    there was no effect. undo(run) may be called at any time and more than once. receive(run) runs a receiver until standard input ends; run makes what all are
    given.
    """
    word = sys.argv[1] if len(sys.argv) == 2 else ""
    try:
        if word == "check":
            check()
        elif word == "prepare":
            if prepare:
                prepare(run())
        elif word == "undo":
            if undo:
                undo(run())
        elif word == "receive" and receive:
            receive(run())
        elif word == "disturb":
            _disturb(run(), disturb, undo)
        else:
            sys.exit(f"{sys.argv[0]}: check, prepare, receive, disturb or undo is needed")
    except NotMade as reason:
        sys.exit(str(reason))


def _disturb(run, disturb, undo):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _interrupted)
    signal.signal(signal.SIGALRM, _interrupted)
    signal.setitimer(signal.ITIMER_REAL, run.lead_s + run.length_s + _BOUND_S)
    lab = _Lab()
    try:
        with Witness(run.service, run.context) as before, held(run.lead_s):
            pass
        began = now_ns()
        try:
            said = disturb(run)
        finally:
            if undo:
                undo(run)
        lab.disturbed()
        ended = now_ns()
        # What the machine does to the receipt thread until the end of the flow may be named as well.
        with Witness(run.service, run.context) as after:
            lab.flow_ended.wait()
        text, also = said if isinstance(said, tuple) else (said, [])
        _proof(True, text, began, ended, also, sorted({*before.also(), *after.also()}))
    except NotMade as reason:
        _proof(False, str(reason))
    except OSError as reason:
        _proof(False, f"{type(reason).__name__}: {reason}")
