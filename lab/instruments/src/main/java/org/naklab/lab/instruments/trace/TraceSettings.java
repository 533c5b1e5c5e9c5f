package org.naklab.lab.instruments.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.trace.InterruptsOff;

/** Sets up an instance of the kernel's trace: clock, size, tracepoints, kernel stacks, and a tracer of latencies if the kernel has one. */
final class TraceSettings {
    /** Of each CPU. */
    static final int BUFFER_KIB = 4_096;

    private static final List<String> EVENTS = List.of(
            "sched/sched_switch",
            "sched/sched_waking",
            "irq/irq_handler_entry",
            "irq/irq_handler_exit",
            "irq/softirq_entry",
            "irq/softirq_exit",
            "irq_vectors/local_timer_entry",
            "irq_vectors/local_timer_exit",
            "irq_vectors/reschedule_entry",
            "irq_vectors/reschedule_exit",
            "irq_vectors/call_function_entry",
            "irq_vectors/call_function_exit",
            "irq_vectors/call_function_single_entry",
            "irq_vectors/call_function_single_exit",
            "timer/hrtimer_expire_entry",
            "timer/hrtimer_expire_exit",
            "exceptions/page_fault_user");

    /** Better first: timerlat also tells the lateness of the timer's interrupt from that of the thread. */
    private static final List<String> TRACERS = List.of("timerlat", "osnoise");

    private static final String TICK = "irq_vectors/local_timer_entry";
    private static final String SWITCH = "sched/sched_switch";

    private final Path instance;
    private final List<String> events = new ArrayList<>();
    private final List<String> tracers = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    private TraceSettings(Path instance) {
        this.instance = instance;
    }

    /**
     * Sets it up, and starts nothing.
     *
     * @param threads names of threads whose kernel stack is recorded when they leave their CPU
     * @throws DetectException if the kernel refuses the clock or the switches of threads, without which the trace is of no use
     */
    static TraceSettings apply(Path instance, List<String> threads) {
        TraceSettings settings = new TraceSettings(instance);
        settings.applyRing();
        settings.chooseTracer();
        EVENTS.forEach(settings::enable);
        settings.recordStacks(threads);
        (hasInterruptsOff(instance) ? settings.events : settings.missing).addAll(InterruptsOff.TRACEPOINTS);
        if (!settings.events.contains(SWITCH)) {
            throw new DetectException("no trace of the kernel: it has no tracepoint " + SWITCH);
        }
        return settings;
    }

    /** Returns whether the kernel can tell when interrupts are off. */
    static boolean hasInterruptsOff(Path instance) {
        return InterruptsOff.TRACEPOINTS.stream()
                .allMatch(event -> Files.isDirectory(instance.resolve("events").resolve(event)));
    }

    /**
     * Sets up an instance for the times in which interrupts are off, and starts nothing. These come so often that they have rings of their own: in those of the other
     * events, they would overwrite the incident.
     */
    static TraceSettings applyInterruptsOff(Path instance) {
        TraceSettings settings = new TraceSettings(instance);
        settings.applyRing();
        InterruptsOff.TRACEPOINTS.forEach(settings::enable);
        return settings;
    }

    private void applyRing() {
        write(instance.resolve("tracing_on"), "0");
        write(instance.resolve("trace_clock"), "mono");
        write(instance.resolve("buffer_size_kb"), String.valueOf(BUFFER_KIB));
    }

    private void chooseTracer() {
        List<String> available = tracersOf(instance);
        for (String tracer : TRACERS) {
            if (tracers.isEmpty() && available.contains(tracer)) {
                write(instance.resolve("current_tracer"), tracer);
                tracers.add(tracer);
            }
        }
    }

    /** Returns the tracers that a directory of tracefs lists. */
    static List<String> tracersOf(Path directory) {
        try {
            String list =
                    Files.readString(directory.resolve("available_tracers")).strip();
            return Arrays.asList(list.split("\\s+", -1));
        } catch (IOException e) {
            // Without the list there is none that could be used.
            return List.of();
        }
    }

    private void enable(String event) {
        Path directory = instance.resolve("events").resolve(event);
        if (Files.isDirectory(directory)) {
            write(directory.resolve("enable"), "1");
            events.add(event);
        } else {
            missing.add(event);
        }
    }

    /** The tick shows what the kernel did for longer; the switch, at which place a thread left its CPU. */
    private void recordStacks(List<String> threads) {
        if (events.contains(TICK)) {
            write(instance.resolve("events").resolve(TICK).resolve("trigger"), "stacktrace");
        }
        if (events.contains(SWITCH) && !threads.isEmpty()) {
            String filter = String.join(
                    " || ",
                    threads.stream()
                            .map(thread -> "prev_comm == \"" + thread + '"')
                            .toList());
            write(instance.resolve("events").resolve(SWITCH).resolve("trigger"), "stacktrace if " + filter);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new DetectException("no trace of the kernel: cannot write " + text + " to " + file + ": " + e, e);
        }
    }

    List<String> events() {
        return List.copyOf(events);
    }

    List<String> tracers() {
        return List.copyOf(tracers);
    }

    List<String> missing() {
        return List.copyOf(missing);
    }
}
