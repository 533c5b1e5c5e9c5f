package org.naklab.lab.instruments.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.KernelSetting;

/**
 * A disk of this machine, as its control groups call it.
 *
 * @param numbers major and minor number, {@code 8:0}
 */
public record Disk(String numbers) {
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final long BYTES_PER_KIB = 1_024;
    /** Columns of a disk's statistics: reads that were completed, and the time that they took in total, ms. */
    private static final int READS_COLUMN = 0;

    private static final int READ_TIME_COLUMN = 3;

    /** Returns the whole disk on which a file or a directory lies, or would lie if it were made; empty if it is on none, as in memory or on a layered file system. */
    public static Optional<Disk> of(Path path) {
        Path existing = path.toAbsolutePath();
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

    /**
     * Returns how far the kernel reads around a page that is missing, bytes.
     *
     * @throws IOException the kernel does not tell
     */
    public long readAheadBytes() throws IOException {
        return readAheadBytes(DEVICES);
    }

    /** Returns the file in which the kernel keeps how far it reads ahead, KiB. */
    public Path readAheadFile() {
        return readAheadFile(DEVICES);
    }

    private Path readAheadFile(Path devices) {
        return devices.resolve(numbers).resolve("queue/read_ahead_kb");
    }

    /** Returns the same, of a copy of {@code /sys/dev/block}. */
    long readAheadBytes(Path devices) throws IOException {
        return Long.parseLong(KernelSetting.text(readAheadFile(devices))) * BYTES_PER_KIB;
    }

    /**
     * Returns how long a read has taken on average since the machine was started, ms; 0 if nothing was read.
     *
     * @throws IOException the kernel does not tell
     */
    public double meanReadMs() throws IOException {
        return meanReadMs(DEVICES);
    }

    /** Returns the same, of a copy of {@code /sys/dev/block}. */
    double meanReadMs(Path devices) throws IOException {
        String[] words =
                KernelSetting.text(devices.resolve(numbers).resolve("stat")).split(" +", -1);
        double reads = Long.parseLong(words[READS_COLUMN]);
        return reads == 0 ? 0 : Long.parseLong(words[READ_TIME_COLUMN]) / reads;
    }

    /** As glibc puts them together in {@code st_dev}. */
    private static long major(long device) {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
    }

    private static long minor(long device) {
        return (device & 0xff) | ((device >>> 12) & 0xffffff00L);
    }
}
