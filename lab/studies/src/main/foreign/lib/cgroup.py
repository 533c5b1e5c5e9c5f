"""A cgroup of its own for a receiver."""
import pathlib

import foreign


def enter(run, root, controller, settings=None):
    """Moves the receiver to a new cgroup with some settings, and returns the directory of the cgroup."""
    home = next(line.split(":", 2)[2] for line in pathlib.Path(f"/proc/{run.service}/cgroup").read_text().splitlines()
                if controller in line.split(":")[1].split(",")).strip()
    group = pathlib.Path(root, f"naklab-foreign-{run.service}")
    run.remember(group=str(group), home=root + home)
    group.mkdir()
    for name, value in (settings or {}).items():
        foreign.need((group / name).exists(), f"the kernel has no {name}")
        (group / name).write_text(value)
    (group / "cgroup.procs").write_text(str(run.service))
    return group


def undo(run):
    """Moves the receiver back, which may have ended, and removes the cgroup."""
    known = run.remembered()
    group = pathlib.Path(known.get("group", "/nonexistent"))
    if group.is_dir():
        if (group / "cgroup.freeze").exists():
            (group / "cgroup.freeze").write_text("0")
        if (group / "memory.limit_in_bytes").exists():
            (group / "memory.limit_in_bytes").write_text("-1")
        for pid in (group / "cgroup.procs").read_text().split():
            pathlib.Path(known["home"], "cgroup.procs").write_text(pid)
        group.rmdir()
