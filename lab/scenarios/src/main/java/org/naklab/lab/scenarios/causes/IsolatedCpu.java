package org.naklab.lab.scenarios.causes;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * A CPU that nothing of the lab uses while a run goes on: all threads of the lab leave it, and the processes that they start inherit that, the injected ones
 * included. A thread that is bound to it has it for itself, apart from other programs of the machine. Needs no privilege, and leaves nothing behind if the
 * lab is killed.
 */
final class IsolatedCpu implements DeploymentEnvironment {
    private static final Path THREADS = Path.of("/proc/self/task");

    private final int cpu;
    private final List<Integer> allowed;
    private boolean isPrepared;

    /** @param allowed the CPUs on which the lab may run otherwise */
    IsolatedCpu(int cpu, List<Integer> allowed) {
        this.cpu = cpu;
        this.allowed = List.copyOf(allowed);
    }

    @Override
    public void prepare() {
        List<Integer> others = allowed.stream().filter(other -> other != cpu).toList();
        if (others.isEmpty()) {
            throw new LabException("CPU " + cpu + " cannot be isolated: there is no other one");
        }
        isPrepared = true;
        restrictAll(others);
    }

    @Override
    public void close() {
        if (isPrepared) {
            isPrepared = false;
            restrictAll(allowed);
        }
    }

    /** A thread that was started meanwhile has inherited it only if its parent was restricted before: so until none is new. */
    private static void restrictAll(List<Integer> cpus) {
        Set<Integer> done = new HashSet<>();
        boolean isNew = true;
        while (isNew) {
            isNew = false;
            for (int thread : threads()) {
                if (done.add(thread)) {
                    restrict(thread, cpus);
                    isNew = true;
                }
            }
        }
    }

    private static void restrict(int thread, List<Integer> cpus) {
        try {
            ThreadAffinity.restrict(thread, cpus);
        } catch (DetectException e) {
            if (Files.exists(THREADS.resolve(Integer.toString(thread)))) {
                throw e;
            }
            // The thread has ended meanwhile.
        }
    }

    private static Set<Integer> threads() {
        Set<Integer> threads = new HashSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(THREADS)) {
            tasks.forEach(task -> threads.add(Integer.parseInt(String.valueOf(task.getFileName()))));
        } catch (IOException e) {
            throw new LabException("cannot list the threads of the lab", e);
        }
        return threads;
    }
}
