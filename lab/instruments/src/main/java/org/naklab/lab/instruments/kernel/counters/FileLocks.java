package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists who holds file locks and who waits for them, from {@code /proc/locks}. A line with {@code ->} waits for the lock of the same number.
 *
 * <pre>
 * 3: POSIX  ADVISORY  WRITE 9726 fe:00:819288 0 EOF
 * 3: -&gt; POSIX  ADVISORY  WRITE 9801 fe:00:819288 0 EOF
 * </pre>
 */
public final class FileLocks {
    private static final String ARROW = "->";
    private static final int WORDS = 8;

    private final List<Lock> locks;

    /**
     * Is one lock, held or wanted.
     *
     * @param id number that a holder and those who wait for it share
     * @param waits whether it is wanted only
     * @param kind {@code POSIX}, {@code FLOCK}, {@code OFDLCK} or {@code LEASE}
     * @param access {@code READ} or {@code WRITE}
     * @param pid process; -1 for an open file description, whose holder the kernel does not tell
     * @param file device and inode, {@code major:minor:inode}, the device in hexadecimal
     */
    public record Lock(int id, boolean waits, String kind, String access, int pid, String file) {}

    private FileLocks(List<Lock> locks) {
        this.locks = List.copyOf(locks);
    }

    /** Reads the locks of the machine. */
    public static FileLocks read() {
        return read(Path.of("/proc/locks"));
    }

    static FileLocks read(Path file) {
        List<Lock> locks = new ArrayList<>();
        for (String line : CounterFiles.lines(file)) {
            Lock lock = parse(line.trim().split("\\s+", -1));
            if (lock != null) {
                locks.add(lock);
            }
        }
        return new FileLocks(locks);
    }

    private static @Nullable Lock parse(String[] words) {
        boolean waits = words.length > 1 && words[1].equals(ARROW);
        int at = waits ? 1 : 0;
        if (words.length < WORDS + at) {
            return null;
        }
        int id = Integer.parseInt(words[0].substring(0, words[0].length() - 1));
        return new Lock(id, waits, words[at + 1], words[at + 3], Integer.parseInt(words[at + 4]), words[at + 5]);
    }

    /** Returns all locks, in the order of the file. */
    public List<Lock> all() {
        return locks;
    }

    /** Returns the lock for which a process waits; none if it waits for none. */
    public Optional<Lock> holderThatBlocks(int pid) {
        return locks.stream()
                .filter(lock -> lock.waits() && lock.pid() == pid)
                .findFirst()
                .flatMap(wanted -> locks.stream()
                        .filter(lock -> !lock.waits() && lock.id() == wanted.id())
                        .findFirst());
    }
}
