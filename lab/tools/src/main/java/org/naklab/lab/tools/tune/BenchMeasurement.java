package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.Installation;
import org.naklab.lab.tools.tune.machine.CounterFile;

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
        List<String> java = Installation.current().command(flags, BenchTaskProcess.class, arguments);
        try (ProcessorGroup group = ProcessorGroup.create(arm.grouped());
                CounterFile counter = CounterFile.of(task.hardwareCounter())) {
            List<String> command = new ArrayList<>(group.joining());
            command.addAll(limiting(arm.limits()));
            command.addAll(counter.counting());
            command.addAll(java);
            Sample sample = run(arm, new ProcessBuilder(command).redirectErrorStream(true));
            return sample.with(counter.figures());
        }
    }

    /** Its input stays open until it has ended: the end of the input, by whatever end of this process, ends the child. */
    private static Sample run(Arm arm, ProcessBuilder builder) throws InterruptedException {
        builder.environment().putAll(arm.environment());
        Process process = start(builder);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new LabException("the JVM ended with " + process.exitValue() + ": " + reasonIn(output));
            }
            return Json.fromLine(sampleIn(output), Sample.class);
        } catch (IOException e) {
            throw new LabException("the output of the JVM cannot be read: " + e.getMessage(), e);
        } finally {
            closeInput(process);
            process.destroyForcibly().waitFor();
        }
    }

    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // A process that has ended takes nothing: that is what this is for.
            return;
        }
    }

    static List<String> limiting(List<Setting.Limit> limits) {
        List<String> command = new ArrayList<>();
        if (!limits.isEmpty()) {
            command.add("prlimit");
            limits.forEach(limit -> command.add("--" + limit.name() + "=" + limit.value() + ":" + limit.value()));
        }
        return command;
    }

    /** Returns the line that says why, below those that the JVM or a library printed. */
    private static String reasonIn(String output) {
        return output.lines()
                .filter(line -> line.contains("Exception") || line.contains("Error"))
                .findFirst()
                .or(() -> output.lines().findFirst())
                .orElse("it printed nothing");
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LabException("the arm cannot be run: " + e.getMessage(), e);
        }
    }

    /** Preloaded libraries and the JVM may print lines of their own. */
    private static String sampleIn(String output) {
        return output.lines().filter(line -> line.startsWith("{")).reduce("", (before, line) -> line);
    }
}
