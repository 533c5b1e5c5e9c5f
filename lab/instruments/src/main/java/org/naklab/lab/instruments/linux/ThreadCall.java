package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.process.ProcPaths;

/**
 * The system call in which a thread waits, read from {@code /proc/PID/task/TID/syscall}: number, six arguments, stack pointer and program counter.
 *
 * @param kind what it waits for
 * @param name of the call, with its command; {@code number N} for a call that has no name here
 * @param descriptor its first argument, for a call of {@link Kind#FILE_LOCK}; -1 otherwise
 */
public record ThreadCall(Kind kind, String name, int descriptor) {
    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
    private static final long FCNTL = ARM ? 25 : 72;
    private static final long FLOCK = ARM ? 32 : 73;
    /** Commands of {@code fcntl} that wait until the lock is free. */
    private static final Map<Long, String> WAITING_COMMANDS = Map.of(7L, "F_SETLKW", 38L, "F_OFD_SETLKW");

    private static final Map<Long, ThreadCall> OTHERS = ARM
            ? Map.of(
                    22L, of(Kind.POLL, "epoll_pwait"),
                    73L, of(Kind.POLL, "ppoll"),
                    72L, of(Kind.POLL, "pselect6"),
                    98L, of(Kind.SLEEP, "futex"),
                    115L, of(Kind.SLEEP, "clock_nanosleep"))
            : Map.of(
                    7L, of(Kind.POLL, "poll"),
                    23L, of(Kind.POLL, "select"),
                    232L, of(Kind.POLL, "epoll_wait"),
                    281L, of(Kind.POLL, "epoll_pwait"),
                    271L, of(Kind.POLL, "ppoll"),
                    202L, of(Kind.SLEEP, "futex"),
                    35L, of(Kind.SLEEP, "nanosleep"),
                    230L, of(Kind.SLEEP, "clock_nanosleep"));

    private static final ThreadCall NONE = of(Kind.RUNNING, "running");

    /** Tells what a thread waits for. */
    public enum Kind {
        /** The thread is in no system call, or about to leave one. */
        RUNNING,
        FILE_LOCK,
        POLL,
        /** A sleep or a wait for another thread of the process: Java's parking and monitors use {@code futex} for both. */
        SLEEP,
        OTHER
    }

    private static ThreadCall of(Kind kind, String name) {
        return new ThreadCall(kind, name, -1);
    }

    /** Reads the call of a thread; empty if there is no such thread, or it may not be looked at. */
    public static Optional<ThreadCall> read(long pid, int tid) {
        try {
            return parse(Files.readString(task(pid).resolve(tid + "/syscall")).strip());
        } catch (IOException goneOrNotPermitted) {
            return Optional.empty();
        }
    }

    /**
     * Parses the file.
     *
     * @param text without the end of the line; empty if the file cannot be read
     */
    public static Optional<ThreadCall> parse(String text) {
        String[] words = text.split(" ", -1);
        if (words[0].isEmpty()) {
            return Optional.empty();
        }
        if (words.length < 4) {
            return Optional.of(NONE);
        }
        long number = Long.parseLong(words[0]);
        if (number == FLOCK) {
            return Optional.of(new ThreadCall(
                    Kind.FILE_LOCK, "flock", Long.decode(words[1]).intValue()));
        }
        String command = WAITING_COMMANDS.get(Long.decode(words[2]));
        if (number == FCNTL && command != null) {
            return Optional.of(new ThreadCall(
                    Kind.FILE_LOCK,
                    "fcntl(" + command + ")",
                    Long.decode(words[1]).intValue()));
        }
        return Optional.of(OTHERS.getOrDefault(number, of(Kind.OTHER, "number " + number)));
    }

    /** Returns the file whose lock the thread waits for; empty if it waits for none, or the process is gone. */
    public Optional<Path> lockedFile(long pid) {
        if (kind != Kind.FILE_LOCK) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readSymbolicLink(ProcPaths.of(pid, "fd", Integer.toString(descriptor))));
        } catch (IOException goneOrNotPermitted) {
            return Optional.empty();
        }
    }

    private static Path task(long pid) {
        return ProcPaths.of(pid, "task");
    }
}
