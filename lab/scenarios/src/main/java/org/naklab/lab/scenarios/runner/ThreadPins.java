package org.naklab.lab.scenarios.runner;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.process.ChildProcess;

/** Binds threads of the processes of a run to one CPU each. */
final class ThreadPins {
    /** Names in the kernel are cut after so many bytes. */
    private static final int COMM_BYTES = 15;

    private ThreadPins() {}

    /**
     * Binds the threads; their processes are up.
     *
     * @param pins the CPU of each thread, by the name of the thread, which begins with that of its process
     * @throws UsageException if no process has such a thread
     */
    static void apply(Map<String, Integer> pins, List<ChildProcess> processes) {
        pins.forEach((thread, cpu) -> {
            int tid = processes.stream()
                    .filter(process -> thread.startsWith(process.name() + '-'))
                    .map(process -> find(process.pid(), thread))
                    .flatMapToInt(OptionalInt::stream)
                    .findFirst()
                    .orElseThrow(() -> new UsageException("no thread " + thread + " to bind; the processes are "
                            + processes.stream().map(ChildProcess::name).collect(Collectors.joining(", "))));
            ThreadAffinity.pin(tid, cpu);
        });
    }

    private static OptionalInt find(long pid, String thread) {
        String comm = thread.length() <= COMM_BYTES ? thread : thread.substring(0, COMM_BYTES);
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).strip().equals(comm)) {
                    return OptionalInt.of(Integer.parseInt(String.valueOf(task.getFileName())));
                }
            }
        } catch (IOException e) {
            // The process or a thread has ended meanwhile; then it has no such thread.
            return OptionalInt.empty();
        }
        return OptionalInt.empty();
    }
}
