package org.naklab.lab.containers.pace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.naklab.lab.core.LabException;

/**
 * A disk of this machine, as its control groups call it.
 *
 * @param numbers major and minor number, {@code 8:0}
 */
record Disk(String numbers) {
    private static final Path DEVICES = Path.of("/sys/dev/block");

    /** Returns the whole disk on which a directory lies, or would lie if it were made; empty if it is on none, as in memory or on a layered file system. */
    static Optional<Disk> of(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            long device = (long) Files.getAttribute(existing, "unix:dev");
            return of(major(device) + ":" + minor(device), DEVICES);
        } catch (IOException | UnsupportedOperationException e) {
            throw new LabException("cannot find the disk of " + existing, e);
        }
    }

    /** Returns the disk of a device, which may be a partition of it. */
    static Optional<Disk> of(String numbers, Path devices) {
        Path device = devices.resolve(numbers);
        try {
            if (!Files.exists(device)) {
                return Optional.empty();
            }
            Path real = device.toRealPath();
            Path whole = Files.exists(real.resolve("partition"))
                    ? real.resolveSibling("dev").normalize()
                    : real.resolve("dev");
            return Optional.of(new Disk(Files.readString(whole).strip()));
        } catch (IOException e) {
            throw new LabException("cannot read " + device, e);
        }
    }

    /** As glibc puts them together in {@code st_dev}. */
    private static long major(long device) {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
    }

    private static long minor(long device) {
        return (device & 0xff) | ((device >>> 12) & 0xffffff00L);
    }
}
