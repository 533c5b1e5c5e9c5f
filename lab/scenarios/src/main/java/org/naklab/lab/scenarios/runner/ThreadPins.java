package org.naklab.lab.scenarios.runner;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.process.ChildProcess;

/** Binds threads of the processes of a run to one CPU each. */
final class ThreadPins {
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
                    .map(process -> new ProcessThreads(process.pid()).find(thread))
                    .flatMapToInt(OptionalInt::stream)
                    .findFirst()
                    .orElseThrow(() -> new UsageException("no thread " + thread + " to bind; the processes are "
                            + processes.stream().map(ChildProcess::name).collect(Collectors.joining(", "))));
            ThreadAffinity.pin(tid, cpu);
        });
    }
}
