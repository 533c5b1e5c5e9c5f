package org.naklab.lab.bench.tune;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.replica.process.Installation;

/** Runs a task in a new JVM for each run of an arm, with the project's flags and those of the arm. */
public final class BenchMeasurement implements Measurement {
    /** Of every arm: the same heap, small enough to be in huge pages. */
    private static final List<String> HEAP =
            List.of("-Xms" + BenchTask.HEAP_MIB + "m", "-Xmx" + BenchTask.HEAP_MIB + "m");

    private final BenchTask task;
    private final int events;
    private final int rounds;

    /**
     * Creates one.
     *
     * @param events of each round
     * @param rounds of which the value is the median, in each run
     */
    public BenchMeasurement(BenchTask task, int events, int rounds) {
        this.task = task;
        this.events = events;
        this.rounds = rounds;
    }

    @Override
    public Sample measure(Arm arm, long seed) throws InterruptedException {
        List<String> arguments = new ArrayList<>(
                List.of(task.label(), Long.toString(seed), Integer.toString(events), Integer.toString(rounds)));
        arm.settings().stream()
                .filter(setting -> !(setting instanceof Setting.KernelFile))
                .forEach(setting -> arguments.add(setting.toString()));
        List<String> flags = new ArrayList<>(HEAP);
        flags.addAll(task.jvmFlags());
        flags.addAll(arm.jvmFlags());
        ProcessBuilder builder = new ProcessBuilder(
                        Installation.current().command(flags, BenchTaskProcess.class, arguments))
                .redirectErrorStream(true);
        builder.environment().putAll(arm.environment());
        Process process = start(arm, builder);
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new LabException("arm " + arm.name() + ": the JVM ended with " + process.exitValue() + ": "
                        + output.lines().findFirst().orElse("it printed nothing"));
            }
            return Json.fromLine(sampleIn(output), Sample.class);
        } catch (IOException e) {
            throw new LabException("the output of arm " + arm.name() + " cannot be read: " + e.getMessage(), e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Arm arm, ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LabException("arm " + arm.name() + " cannot be run: " + e.getMessage(), e);
        }
    }

    /** Preloaded libraries and the JVM may print lines of their own. */
    private static String sampleIn(String output) {
        return output.lines().filter(line -> line.startsWith("{")).reduce("", (before, line) -> line);
    }
}
