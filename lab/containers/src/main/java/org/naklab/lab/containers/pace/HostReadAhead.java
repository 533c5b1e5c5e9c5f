package org.naklab.lab.containers.pace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.containers.ReadAhead;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.KernelSetting;

/**
 * Lowers the read-ahead of a disk of this machine to the kernel's default where it is more, as {@link ReadAhead} does through an engine. The guard puts it back if the lab is
 * killed; a value that somebody else has set meanwhile stays.
 */
final class HostReadAhead implements AutoCloseable {
    private static final String RESTORE = "[ \"$(cat \"$2\")\" != \"$3\" ] || printf %s \"$1\" >\"$2\"";

    private final @Nullable Guard guard;

    private HostReadAhead(@Nullable Guard guard) {
        this.guard = guard;
    }

    /**
     * Returns why the read-ahead cannot be lowered here, with the name of the file; empty if it can, or is low enough.
     *
     * @param file {@code queue/read_ahead_kb} of the disk
     */
    static Optional<String> obstacle(Path file) {
        return obstacle(file, Files::isWritable);
    }

    /** Does the same with another answer to whether a file can be written. */
    static Optional<String> obstacle(Path file, Predicate<Path> isWritable) {
        try {
            return Long.parseLong(KernelSetting.text(file)) <= ReadAhead.DEFAULT_KIB || isWritable.test(file)
                    ? Optional.empty()
                    : Optional.of("only root can lower the read-ahead in " + file + ": sudo");
        } catch (IOException e) {
            return Optional.of("the read-ahead in " + file + " cannot be read: " + e.getMessage());
        }
    }

    /**
     * Lowers it until this is closed.
     *
     * @param file {@code queue/read_ahead_kb} of the disk
     * @throws LabException if it cannot be read or set
     */
    static HostReadAhead lowered(Path file) {
        String lowered = String.valueOf(ReadAhead.DEFAULT_KIB);
        try {
            String former = KernelSetting.text(file);
            if (Long.parseLong(former) <= ReadAhead.DEFAULT_KIB) {
                return new HostReadAhead(null);
            }
            Guard guard = new Guard();
            Guard.Promise unused = guard.toRun(
                    "set " + file + " back to " + former,
                    List.of("sh", "-c", RESTORE, "sh", former, file.toString(), lowered));
            Files.writeString(file, lowered);
            return new HostReadAhead(guard);
        } catch (IOException e) {
            throw new LabException("cannot lower the read-ahead in " + file + ": " + e.getMessage(), e);
        }
    }

    /** Puts the read-ahead back. */
    @Override
    public void close() {
        if (guard != null) {
            guard.close();
        }
    }
}
