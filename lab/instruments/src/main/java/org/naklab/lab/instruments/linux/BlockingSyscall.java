package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.process.ProcPaths;

/** The system call in which a thread of another process waits, by {@code /proc/PID/task/TID/syscall}: number, then arguments. */
public final class BlockingSyscall {
    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

    /** {@code read, recvfrom, recvmsg, recvmmsg}: the first argument is the descriptor. */
    private static final Set<Long> RECEIVES = ARM ? Set.of(63L, 207L, 212L, 243L) : Set.of(0L, 45L, 47L, 299L);

    /** {@code epoll_wait, epoll_pwait, epoll_pwait2}: the first argument is the epoll's descriptor. */
    private static final Set<Long> EPOLLS = ARM ? Set.of(22L, 441L) : Set.of(232L, 281L, 441L);

    /** {@code poll, ppoll}: an array of descriptors with their events, and its length. */
    private static final Set<Long> POLLS = ARM ? Set.of(73L) : Set.of(7L, 271L);

    /** {@code select, pselect6}: the number of descriptors, then the set of those to read from, a bit each. */
    private static final Set<Long> SELECTS = ARM ? Set.of(72L) : Set.of(23L, 270L);

    private static final int MAX_SELECTED = 1_024;
    private static final int MAX_POLLED = 1_024;
    private static final int POLLFD_LENGTH = 8;
    private static final Pattern EPOLL_TARGET = Pattern.compile("^tfd:\\s+(\\d+)\\s.*$");

    private BlockingSyscall() {}

    /** Descriptors that the thread waits for; none when it runs, waits for something else, or may not be looked at. */
    public static Set<Integer> awaitedDescriptors(long pid, int tid) {
        Path process = ProcPaths.of(pid);
        try {
            String[] call = Files.readString(process.resolve("task/" + tid + "/syscall"))
                    .strip()
                    .split(" ", -1);
            if (call.length < 3 || call[0].equals("-1")) {
                return Set.of();
            }
            long number = Long.parseLong(call[0]);
            long first = Long.decode(call[1]);
            if (RECEIVES.contains(number)) {
                return Set.of((int) first);
            }
            if (EPOLLS.contains(number)) {
                return ofEpoll(process.resolve("fdinfo/" + first));
            }
            if (SELECTS.contains(number)) {
                return ofSelect(process.resolve("mem"), (int) first, Long.decode(call[2]));
            }
            return POLLS.contains(number) ? ofPoll(process.resolve("mem"), first, Long.decode(call[2])) : Set.of();
        } catch (IOException goneOrNotPermitted) {
            return Set.of();
        }
    }

    private static Set<Integer> ofEpoll(Path information) throws IOException {
        Set<Integer> targets = new HashSet<>();
        for (String line : Files.readAllLines(information)) {
            Matcher target = EPOLL_TARGET.matcher(line);
            if (target.matches()) {
                targets.add(Integer.parseInt(target.group(1)));
            }
        }
        return targets;
    }

    private static Set<Integer> ofSelect(Path memory, int count, long address) throws IOException {
        int selected = Math.min(count, MAX_SELECTED);
        byte[] set = new byte[(selected + Byte.SIZE - 1) / Byte.SIZE];
        if (address != 0) {
            read(memory, address, set);
        }
        Set<Integer> descriptors = new HashSet<>();
        BitSet.valueOf(set).stream().filter(descriptor -> descriptor < selected).forEach(descriptors::add);
        return descriptors;
    }

    private static void read(Path memory, long address, byte[] into) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(memory.toFile(), "r")) {
            file.seek(address);
            file.readFully(into);
        }
    }

    /**
     * <pre>
     *   0        4         6         8
     *   | fd     | events  | revents |
     * </pre>
     */
    private static Set<Integer> ofPoll(Path memory, long address, long count) throws IOException {
        ByteBuffer polled = ByteBuffer.allocate((int) Math.min(count, MAX_POLLED) * POLLFD_LENGTH)
                .order(ByteOrder.nativeOrder());
        read(memory, address, polled.array());
        Set<Integer> descriptors = new HashSet<>();
        for (int at = 0; at < polled.capacity(); at += POLLFD_LENGTH) {
            descriptors.add(polled.getInt(at));
        }
        return descriptors;
    }
}
