package org.naklab.lab.instruments.threads;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;

/** The threads of a process, by their names in {@code /proc/PID/task}. */
public final class ProcessThreads {
    /** The kernel keeps so many bytes of a name; the JVM cuts a Java thread's to it. */
    private static final int MAX_NAME_LENGTH = 15;

    private final Path tasks;

    /** A thread of the process. */
    public record NamedThread(int tid, String name) {}

    public ProcessThreads(long pid) {
        tasks = ProcPaths.of(pid, "task");
    }

    /**
     * Lists the threads that run now; none when the process no longer exists.
     *
     * @throws DetectException they may not be listed
     */
    public List<NamedThread> list() {
        List<NamedThread> threads = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(tasks)) {
            for (Path entry : entries) {
                String name = nameOf(entry);
                if (!name.isEmpty()) {
                    threads.add(
                            new NamedThread(Integer.parseInt(entry.getFileName().toString()), name));
                }
            }
        } catch (NoSuchFileException gone) {
            return List.of();
        } catch (IOException e) {
            throw new DetectException("cannot list threads in " + tasks + ": " + e.getMessage(), e);
        }
        return threads;
    }

    /**
     * Returns the id of the first thread of that name.
     *
     * @throws DetectException the threads may not be listed
     */
    public OptionalInt find(String name) {
        String kept = kept(name);
        return list().stream()
                .filter(thread -> thread.name().equals(kept))
                .mapToInt(NamedThread::tid)
                .findFirst();
    }

    /** Returns a thread's name as the kernel truncates it. */
    public static String kept(String name) {
        return name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) : name;
    }

    private static String nameOf(Path task) {
        try {
            return Printable.of(Files.readString(task.resolve("comm")).stripTrailing());
        } catch (IOException endedMeanwhile) {
            return "";
        }
    }
}
