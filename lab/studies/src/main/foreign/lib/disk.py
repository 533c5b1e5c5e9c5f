"""A file system of its own on a loop device, which can be frozen or slowed down; mounted at the directory "disk" of an attempt."""
import contextlib
import fcntl
import os
import pathlib

import foreign

_FREEZE, _THAW = 0xC0045877, 0xC0045878
_IMAGE_BYTES = 256 << 20


def check():
    foreign.need_root()
    foreign.need_command("mkfs.ext4", "mount", "umount", "losetup")
    foreign.need(os.path.exists("/dev/loop-control"), "needs loop devices")


def check_slow():
    check()
    root = foreign.mount_of("cgroup", "blkio")
    foreign.need(root and os.access(f"{root}/blkio.throttle.write_bps_device", os.W_OK), "needs a writable blkio controller of cgroup v1 with throttling")


def prepare(run):
    image, directory = run.work / "disk.img", run.work / "disk"
    with open(image, "wb") as file:
        file.truncate(_IMAGE_BYTES)
    foreign.command("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=1,nodiscard", str(image))
    directory.mkdir()
    run.remember(disk=str(directory))
    foreign.command("mount", "-o", "loop,noatime", str(image), str(directory))


def sync(run):
    handle = os.open(run.work / "disk", os.O_RDONLY | os.O_DIRECTORY)
    try:
        foreign.need(foreign.syncfs(handle) == 0, "cannot sync the file system")
    finally:
        os.close(handle)


def freeze(run):
    _set(run, _FREEZE)


def thaw(run):
    _set(run, _THAW)


def _set(run, request):
    handle = os.open(run.work / "disk", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(handle, request, 0)
    finally:
        os.close(handle)


def slow(run, direction, bytes_per_second):
    """Limits how fast the receiver may read or write on this disk."""
    root = pathlib.Path(foreign.mount_of("cgroup", "blkio"))
    group = root / f"naklab-foreign-{run.service}"
    home = next(line.split(":", 2)[2] for line in pathlib.Path(f"/proc/{run.service}/cgroup").read_text().splitlines()
                if "blkio" in line.split(":")[1].split(",")).strip()
    run.remember(slow=str(group), slow_home=str(root) + home)
    group.mkdir()
    device = os.stat(run.work / "disk").st_dev
    (group / f"blkio.throttle.{direction}_bps_device").write_text(f"{os.major(device)}:{os.minor(device)} {bytes_per_second}")
    (group / "cgroup.procs").write_text(str(run.service))


def swap_on(run, size):
    """Adds swap in a file of this disk."""
    file = run.work / "disk" / "swap"
    with open(file, "wb") as out:
        os.posix_fallocate(out.fileno(), 0, size)
    file.chmod(0o600)
    foreign.command("mkswap", str(file))
    run.remember(swap=str(file))
    foreign.command("swapon", str(file))


def swap_off(run):
    """Takes the swap away when the receiver has ended."""
    if _is_in_use(run):
        return
    file = run.remembered().get("swap", "")
    if any(line.split()[0] == file for line in pathlib.Path("/proc/swaps").read_text().splitlines()[1:]):
        foreign.command("swapoff", file)


def undo(run):
    """Thaws the file system and lifts the limit; unmounts it when the receiver has ended."""
    known = run.remembered()
    group = pathlib.Path(known.get("slow", "/nonexistent"))
    if group.is_dir():
        for pid in (group / "cgroup.procs").read_text().split():
            pathlib.Path(known["slow_home"], "cgroup.procs").write_text(pid)
        group.rmdir()
    if not os.path.ismount(known.get("disk", "/nonexistent")):
        return
    with contextlib.suppress(OSError):
        thaw(run)  # It may not be frozen.
    if _is_in_use(run):
        return
    foreign.command("umount", known["disk"])
    os.unlink(run.work / "disk.img")


def _is_in_use(run):
    return bool(os.environ.get("NAKLAB_PID_RECEIVER")) and os.path.exists(f"/proc/{run.service}")
