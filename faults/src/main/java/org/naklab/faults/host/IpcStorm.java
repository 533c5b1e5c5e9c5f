package org.naklab.faults.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.Guard;

/** Runs {@link IpcStormProcess}, which ends by itself when its time is up or its standard input ends. */
final class IpcStorm implements Fault {

    private final IpcStormFault.Parameters parameters;
    private final Guard guard;
    private final long forMs;
    private final ProofLog log = new ProofLog();
    private @Nullable Process process;
    private Guard.@Nullable Promise promise;
    private long beginNs;

    IpcStorm(IpcStormFault.Parameters parameters, Guard guard, long forMs) {
        this.parameters = parameters;
        this.guard = guard;
        this.forMs = forMs;
    }

    @Override
    public void arm() {
        beginNs = System.nanoTime();
        Process started = start();
        process = started;
        promise = guard.toKill(TargetProcess.of(started.pid()));
    }

    private Process start() {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                IpcStormProcess.class.getName(),
                String.valueOf(parameters.pairs()),
                String.valueOf(forMs));
        builder.environment().remove("LD_AUDIT");
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new FaultException("cannot start the storm of messages: " + e.getMessage(), e);
        }
    }

    @Override
    public void disarm() {
        Process running = process;
        Guard.Promise promised = promise;
        if (running == null || promised == null) {
            return;
        }
        measure(running);
        running.destroyForcibly();
        try {
            if (!running.waitFor(Commands.KILLED_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new FaultException("the storm of messages does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process = null;
        promise = null;
        promised.kept();
    }

    private void measure(Process running) {
        long switches = switches(running.pid());
        if (switches > 0) {
            log.set("contextSwitches", switches);
        }
        if (switches >= parameters.minSwitches() && log.firings() == 0) {
            log.fired(beginNs, System.nanoTime(), "process " + running.pid());
        }
    }

    /** Returns how often the threads of a process have left their CPU; 0 if it has ended. */
    private static long switches(long pid) {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                sum += ofThread(task);
            }
            return sum;
        } catch (NoSuchFileException e) {
            return sum;
        } catch (IOException e) {
            throw new FaultException("cannot list the threads of process " + pid + ": " + e.getMessage(), e);
        }
    }

    private static long ofThread(Path task) {
        List<String> lines;
        try {
            lines = Files.readAllLines(task.resolve("status"));
        } catch (IOException e) {
            // The thread has ended since the directory was listed.
            return 0;
        }
        return lines.stream()
                .filter(line -> line.contains("ctxt_switches:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    @Override
    public FaultProof proof() {
        Process running = process;
        if (running != null) {
            measure(running);
        }
        return log.proof("pairs of threads sent each other messages", "these threads were hardly switched");
    }
}
