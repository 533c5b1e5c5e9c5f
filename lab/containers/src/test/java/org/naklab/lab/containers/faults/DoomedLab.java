package org.naklab.lab.containers.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.naklab.faults.guard.Leftovers;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.Docker;

/** Child process: arms every fault in one container at once, disarms them when it is told to, and ends with its input. */
final class DoomedLab {
    static final long MEMORY_BYTES = 64L << 20;
    static final long WRITES_PER_SECOND = 7;
    static final String VOLUME = "/small";
    static final long MOST_BYTES = 16L << 20;

    private final Queue<ContainerFault> armed = new ConcurrentLinkedQueue<>();

    private DoomedLab() {}

    static Map<String, Supplier<ContainerFault>> faultsOf(String container) {
        ContainerFaults faults = ContainerFaults.of(container);
        return Map.of(
                "pause",
                faults::pause,
                "memory",
                () -> faults.memoryLimit(MEMORY_BYTES),
                "disk",
                () -> faults.slowDisk(DiskLimit.writesPerSecond(WRITES_PER_SECOND)),
                "full",
                () -> faults.fullDisk(VOLUME, MOST_BYTES),
                "loss",
                () -> faults.network().incoming().loss(30),
                "partition",
                () -> faults.network().partition(),
                "delay",
                () -> faults.network().outgoing().delay(Duration.ofMillis(200)));
    }

    /** Arguments: the container; none: undo what another has left, and tell. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            Leftovers.Outcome outcome = Leftovers.undo();
            outcome.undone().forEach(what -> System.out.println("undone " + what));
            outcome.left().forEach(what -> System.out.println("left " + what));
            return;
        }
        new DoomedLab().run(arguments[0]);
    }

    private void run(String container) throws IOException {
        // A tool that waits to do its work.
        CompletableFuture<Docker.Result> late = LateDiskLimit.ask(
                "naklab-late-" + ProcessHandle.current().pid(),
                container,
                BlockDevice.find(),
                DiskLimit.readsPerSecond(9),
                TimeUnit.MINUTES.toNanos(10));
        Map<String, Supplier<ContainerFault>> faults = faultsOf(container);
        ExecutorService threads = Executors.newFixedThreadPool(faults.size());
        faults.forEach((name, fault) -> threads.execute(() -> arm(name, fault)));
        threads.shutdown();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            armed.forEach(DoomedLab::disarm);
            print("disarmed");
        }
        System.exit(late.isDone() ? 1 : 0);
    }

    private void arm(String name, Supplier<ContainerFault> fault) {
        try {
            armed.add(fault.get());
            print("armed " + name);
        } catch (RuntimeException e) {
            print("refused " + name + ": " + e.getMessage());
        }
    }

    private static void disarm(ContainerFault fault) {
        try {
            fault.close();
        } catch (RuntimeException e) {
            print("kept: " + e.getMessage());
        }
    }

    private static synchronized void print(String line) {
        System.out.println(line);
    }
}
