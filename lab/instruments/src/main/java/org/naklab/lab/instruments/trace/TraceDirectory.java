package org.naklab.lab.instruments.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;

/**
 * An instance of the kernel's trace: rings, events and clock of its own, so that others who trace are not disturbed. Where tracefs is not mounted, it is
 * mounted for the lab alone. The instance, and the mount, are removed by {@link #close()}, or by the guard.
 */
final class TraceDirectory implements AutoCloseable {
    private static final List<Path> MOUNTED =
            List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long TIMEOUT_S = 10;

    /** Succeeds if nothing is there: it may be run twice, and after a reboot. One line, as the guard wants it. */
    private static final String UNDO = "if [ -d \"$1\" ]; then echo 0 > \"$1/tracing_on\"; rmdir \"$1\" || exit 1; fi; "
            + "[ -n \"$2\" ] || exit 0; "
            + "if [ -e \"$2/instances\" ]; then umount \"$2\" || exit 1; fi; "
            + "[ ! -d \"$2\" ] || rmdir \"$2\"";

    private final Path instance;
    private final @Nullable Path mount;
    private final Runnable kept;

    private TraceDirectory(Path instance, @Nullable Path mount, Runnable kept) {
        this.instance = instance;
        this.mount = mount;
        this.kept = kept;
    }

    /** @throws DetectException if this kernel or this user has no trace */
    static TraceDirectory create(TraceUndo undo) {
        Optional<Path> mounted = MOUNTED.stream()
                .filter(directory -> Files.isDirectory(directory.resolve("instances")))
                .findFirst();
        Path mount = mounted.isPresent() ? null : newMountPoint();
        Path root = mount == null ? mounted.orElseThrow() : mount;
        Path instance = root.resolve("instances")
                .resolve("naklab-" + ProcessHandle.current().pid() + '-' + COUNT.incrementAndGet());
        Runnable kept = undo.promise("the kernel's trace " + instance, undoing(instance, mount));
        TraceDirectory directory = new TraceDirectory(instance, mount, kept);
        try {
            if (mount != null) {
                run(List.of("mount", "-t", "tracefs", "naklab-tracefs", mount.toString()));
            }
            Files.createDirectory(instance);
            return directory;
        } catch (IOException e) {
            directory.close();
            throw new DetectException(
                    "no trace of the kernel: cannot make " + instance + ": " + e + "; run as root, with sudo", e);
        } catch (DetectException e) {
            directory.close();
            throw e;
        }
    }

    private static Path newMountPoint() {
        try {
            return Files.createTempDirectory("naklab-tracefs-");
        } catch (IOException e) {
            throw new DetectException("no trace of the kernel: cannot make a directory: " + e.getMessage(), e);
        }
    }

    private static List<String> undoing(Path instance, @Nullable Path mount) {
        return List.of("sh", "-c", UNDO, "naklab-trace", instance.toString(), mount == null ? "" : mount.toString());
    }

    private static void run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new DetectException("no trace of the kernel: " + String.join(" ", command.subList(0, 1))
                        + " failed: " + output + "; run as root, with sudo");
            }
        } catch (IOException e) {
            throw new DetectException(
                    "no trace of the kernel: cannot run " + command.get(0) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("no trace of the kernel: interrupted", e);
        }
    }

    Path instance() {
        return instance;
    }

    /** @throws DetectException if it could not be removed; the guard then tries again */
    @Override
    public void close() {
        run(undoing(instance, mount));
        kept.run();
    }
}
