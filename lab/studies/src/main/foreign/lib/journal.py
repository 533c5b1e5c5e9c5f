"""A journal on a file system of its own, which can be frozen."""
import contextlib
import fcntl
import os
import shutil
import threading

import foreign

FREEZE, THAW = 0xC0045877, 0xC0045878


def check():
    foreign.need_root()
    foreign.need_command("mkfs.ext4", "mount", "umount")
    foreign.need(os.path.exists("/dev/loop-control"), "needs loop devices")


def prepare(run):
    """Mounts the directory of the journal before the service makes it."""
    image = run.work / "journal.img"
    with open(image, "wb") as file:
        file.truncate(2 << 30)
    foreign.command("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=1,nodiscard", str(image))
    run.journal.mkdir()
    run.remember(mount=str(run.journal), image=str(image))
    foreign.command("mount", "-o", "loop", str(image), str(run.journal))
    (run.journal / "lost+found").rmdir()


def freeze(run):
    _set(run.journal, FREEZE)


def thaw(run):
    _set(run.journal, THAW)


def _set(directory, request):
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(handle, request, 0)
    finally:
        os.close(handle)


def undo(run):
    """Thaws the file system and, after the run, keeps the journal as a usual directory."""
    known = run.remembered()
    if not known or not os.path.ismount(known["mount"]):
        return
    try:
        thaw(run)
    except OSError:
        pass  # It is not frozen.
    if os.environ.get("NAKLAB_PID_MDS") and os.path.exists(f"/proc/{run.service}"):
        return  # The run still uses it.
    kept = run.journal.with_name(".journal-kept")
    shutil.rmtree(kept, ignore_errors=True)
    foreign.command("cp", "-a", "--sparse=always", str(run.journal), str(kept))
    foreign.command("umount", str(run.journal))
    run.journal.rmdir()
    kept.rename(run.journal)
    os.unlink(known["image"])


class Blocked:
    """Measures from outside how long threads of a process were in state D."""

    def __init__(self, pid):
        self._pid = pid
        self._end = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self.ms = {}

    def _watch(self):
        at = foreign.now_ns()
        while not self._end.wait(0.005):
            then, at = at, foreign.now_ns()
            for task in foreign.tasks(self._pid):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    path = f"/proc/{self._pid}/task/{task}"
                    if foreign.stat_fields(path + "/stat")[0] == "D":
                        with open(path + "/comm") as file:
                            name = file.read().strip()
                        self.ms[name] = self.ms.get(name, 0.0) + (at - then) / 1e6

    def __enter__(self):
        self._watcher.start()
        return self

    def __exit__(self, *unused):
        self._end.set()
        self._watcher.join()

    def longest_ms(self):
        return max(self.ms.values(), default=0.0)

    def text(self):
        threads = ", ".join(f"{name} {ms:.0f} ms" for name, ms in sorted(self.ms.items()))
        return f"in state D: {threads or 'no thread'}"
