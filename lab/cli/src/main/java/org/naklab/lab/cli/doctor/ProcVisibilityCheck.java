package org.naklab.lab.cli.doctor;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.ForeignFile;

/** Checks that a container runs on the kernel of the lab and is visible to the instruments. */
final class ProcVisibilityCheck implements ContainerCheck {
    private static final String NAME = "Docker instruments";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Engine engine;

    ProcVisibilityCheck(Engine engine) {
        this.engine = engine;
    }

    /** Visibility of a container's process, by the process id that the engine reports. */
    enum Sight {
        /** Its files. */
        CLEAR,
        /** The process is visible, but its files belong to another user. */
        FORBIDDEN,
        /** No such process, or one that is something else. */
        NONE
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<CheckResult> examine(DoctorSandbox bench) {
        String container = bench.start("sight");
        String bootId = DockerEngine.execute(container, "cat", BOOT_ID.toString())
                .outputOrThrow("cannot read " + BOOT_ID + " in a container");
        long pid = DockerEngine.inspect(container).state().pid();
        boolean isOwnKernel = contentOf(BOOT_ID).equals(bootId);
        return List.of(
                engine.kernel(isOwnKernel, System.getProperty("os.version")),
                judge(isOwnKernel, look(ForeignFile.inRoot(ProcPaths.of(pid), "/etc/hostname"), container)));
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            // Not Linux, and so not the engine's kernel.
            return "";
        }
    }

    private static Sight look(Path hostname, String container) {
        try {
            return Files.readString(hostname).strip().equals(container) ? Sight.CLEAR : Sight.NONE;
        } catch (AccessDeniedException e) {
            return Sight.FORBIDDEN;
        } catch (IOException e) {
            return Sight.NONE;
        }
    }

    static CheckResult judge(boolean isOwnKernel, Sight sight) {
        if (isOwnKernel && sight == Sight.CLEAR) {
            return CheckResult.yes(NAME, "processes and files of containers can be read");
        }
        if (isOwnKernel && sight == Sight.FORBIDDEN) {
            return CheckResult.no(
                    NAME,
                    "processes of containers exist, but permission is denied",
                    "run the lab as root (sudo) or with CAP_SYS_PTRACE; otherwise verdicts that depend on "
                            + "instruments are unknown");
        }
        return CheckResult.no(
                NAME,
                "blind: processes of containers cannot be read",
                "containers, faults and tests work; verdicts that depend on instruments are unknown with "
                        + "Docker Desktop and other engines in a virtual machine");
    }
}
