package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.tune.observer.Observation;
import org.naklab.lab.tools.tune.observer.ObservationLevel;
import org.naklab.lab.tools.tune.workload.Figure;

/**
 * Runs any program for each run of an arm. Its figure is the wall time, the processor time, a number that it prints, or its exit code. Flags of an arm come behind the first word of the
 * command, which is the program.
 */
public final class CommandMeasurement implements Measurement {
    private static final Path OWN_TIMES = Path.of("/proc/self/stat");
    /** Fields of the processor time of ended children, counted after the name: user and system. */
    private static final int CHILDREN_USER_TICKS = 13;

    private static final int CHILDREN_SYSTEM_TICKS = 14;
    /** The kernel tells programs processor time in ticks of this length on all machines (USER_HZ). */
    private static final long MS_PER_TICK = 10;

    private final List<String> command;
    private final By by;
    private final @Nullable Pattern printed;

    /** The figure that is compared. */
    public enum By {
        WALL,
        CPU,
        PRINTED,
        /** A run hits if the program ends with exit code 1; with 0 it does not, and any other one is a failure. */
        EXIT
    }

    private CommandMeasurement(List<String> command, By by, @Nullable Pattern printed) {
        this.command = List.copyOf(command);
        this.by = by;
        this.printed = printed;
    }

    /**
     * Creates one by what people call the figure.
     *
     * @param command the program and its arguments
     * @param figure {@code wall}, {@code cpu}, {@code exit}, or a regular expression whose first group is the number, in the last line of the output in which it is found
     * @throws IllegalArgumentException it is none of them; the message says why
     */
    public static CommandMeasurement of(List<String> command, String figure) {
        for (By by : List.of(By.WALL, By.CPU, By.EXIT)) {
            if (figure.equalsIgnoreCase(by.name())) {
                return new CommandMeasurement(command, by, null);
            }
        }
        // PatternSyntaxException is one, and says where.
        Pattern pattern = Pattern.compile(figure);
        if (pattern.matcher("").groupCount() < 1) {
            throw new IllegalArgumentException(
                    "'" + figure
                            + "' is no figure: use wall, cpu, exit, or a regular expression with the number in parentheses, such as 'took ([0-9.]+) ms'");
        }
        return new CommandMeasurement(command, By.PRINTED, pattern);
    }

    /** Returns what is compared. */
    public By by() {
        return by;
    }

    @Override
    public Sample measure(Arm arm, long seed) throws InterruptedException {
        ObservationLevel level = arm.observed().map(ObservationLevel::of).orElse(ObservationLevel.NONE);
        try (ProcessorGroup group = ProcessorGroup.create(arm.grouped());
                Observation observation = Observation.begin(level)) {
            List<String> whole = new ArrayList<>(group.joining());
            whole.addAll(BenchMeasurement.limiting(arm.limits()));
            whole.addAll(observation.waiting());
            whole.add(command.get(0));
            whole.addAll(arm.jvmFlags());
            whole.addAll(command.subList(1, command.size()));
            ProcessBuilder builder = new ProcessBuilder(whole);
            builder.environment().putAll(arm.environment());
            observation.prepare(builder);
            return run(builder, arm, observation);
        }
    }

    private Sample run(ProcessBuilder builder, Arm arm, Observation observation) throws InterruptedException {
        boolean isWaiting = !observation.waiting().isEmpty();
        Output output = new Output();
        Process process = null;
        try (ProgramOutput written = ProgramOutput.of(builder, output::take)) {
            long cpuMs = childrenMs();
            long beginNs = System.nanoTime();
            process = builder.start();
            if (isWaiting) {
                observation.attach(process.pid());
                beginNs = System.nanoTime();
            }
            release(process, isWaiting);
            int exit = process.waitFor();
            double wallMs = (System.nanoTime() - beginNs) / Units.NS_PER_MS;
            written.awaitEnd();
            if (exit != 0 && !(by == By.EXIT && exit == 1)) {
                throw new LabException(command.get(0) + " ended with " + exit + ": " + output.last());
            }
            cpuMs = childrenMs() - cpuMs;
            String recorded = observation.end(process.pid());
            return new Sample(
                    switch (by) {
                        case WALL -> wallMs;
                        case CPU -> (double) cpuMs;
                        case PRINTED -> output.figure();
                        case EXIT -> (double) exit;
                    },
                    new Sample.Cost(0, cpuMs, 0, 0),
                    List.of(new Figure("wall ms", wallMs), new Figure("CPU ms", (double) cpuMs)),
                    effect(arm, output, recorded),
                    List.of());
        } catch (IOException e) {
            throw new LabException("the command cannot be run: " + e.getMessage(), e);
        } finally {
            if (process != null) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** Lets a program that waits begin, and leaves it nothing to read. */
    private static void release(Process process, boolean isWaiting) throws IOException {
        try (OutputStream input = process.getOutputStream()) {
            if (isWaiting) {
                input.write('\n');
            }
        }
    }

    private static Sample.Effect effect(Arm arm, Output output, String recorded) {
        List<String> proof = new ArrayList<>();
        arm.settings().stream()
                .filter(setting -> !(setting instanceof Setting.KernelFile || setting instanceof Setting.Observed))
                .forEach(setting -> proof.add("started with " + setting));
        List<String> missing = new ArrayList<>(output.notPreloaded());
        arm.observed().ifPresent(level -> {
            String setting = Setting.OBSERVE + level;
            (recorded.isEmpty() ? missing : proof)
                    .add(setting + ": " + (recorded.isEmpty() ? "nothing was recorded of the program" : recorded));
        });
        return new Sample.Effect(proof, missing);
    }

    /** Keeps of what the program prints no more than is needed. */
    private final class Output {
        private String last = "it printed nothing";
        private String number = "";
        private final List<String> notPreloaded = new ArrayList<>();

        private void take(String line) {
            if (!line.isBlank()) {
                last = line;
            }
            if (line.contains("LD_PRELOAD cannot be preloaded") && notPreloaded.isEmpty()) {
                notPreloaded.add(line);
            }
            Pattern pattern = printed;
            if (pattern != null) {
                Matcher found = pattern.matcher(line);
                while (found.find()) {
                    String group = found.group(1);
                    number = group == null ? number : group;
                }
            }
        }

        String last() {
            return last;
        }

        List<String> notPreloaded() {
            return notPreloaded;
        }

        double figure() {
            if (number.isEmpty()) {
                throw new LabException("no line of its output has the figure; the last one is: " + last);
            }
            try {
                return Double.parseDouble(number.replace(",", ""));
            } catch (NumberFormatException e) {
                throw new LabException("'" + number + "' in its output is no number", e);
            }
        }
    }

    /** Returns the processor time of all children of this process that have ended, ms. */
    private static long childrenMs() {
        try {
            String stat = Files.readString(OWN_TIMES);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[CHILDREN_USER_TICKS]) + Long.parseLong(fields[CHILDREN_SYSTEM_TICKS]))
                    * MS_PER_TICK;
        } catch (IOException e) {
            throw new LabException("the processor time cannot be read: " + e.getMessage(), e);
        }
    }
}
