package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LatencySettings;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.EnvironmentRecord;
import org.naklab.lab.records.memory.PageFaultRecord;

/** The report's tables, as a template takes them. */
final class Tables {
    /** Texts of more characters have a line of their own. */
    private static final int LONG = 60;

    private static final int MAX_FAULTS = 100;

    private final RunFiles files;
    private final TimeAxis axis;

    Tables(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
    }

    /** Returns the reason why there is no chain. */
    String chainless() {
        return files.diagnosis().map(each -> each.named().cause()).orElse("").equals("clean")
                ? "None: no data was lost."
                : "This run's diagnosis has no causal chain.";
    }

    List<Map<String, Object>> evidence() {
        return rows(
                each -> each.grounds().evidence(),
                each -> Map.of(
                        "hasTime",
                        each.atNs() > 0,
                        "at",
                        axis.microseconds(each.atNs()),
                        "time",
                        each.atNs() > 0 ? axis.clock(each.atNs()) : "",
                        "text",
                        each.text(),
                        "figure",
                        each.figure()));
    }

    /** Returns the longest page faults of the receipt threads, by their begin. */
    List<Map<String, Object>> pageFaults() {
        return files.run().used().pageFaults().stream()
                .sorted(Comparator.comparingDouble(PageFaultRecord::durationMs).reversed())
                .limit(MAX_FAULTS)
                .sorted(Comparator.comparingLong(PageFaultRecord::atNs))
                .map(this::pageFault)
                .toList();
    }

    private Map<String, Object> pageFault(PageFaultRecord fault) {
        String file = fault.file();
        return Map.ofEntries(
                Map.entry("at", axis.microseconds(fault.atNs())),
                Map.entry("time", axis.clock(fault.atNs())),
                Map.entry("thread", fault.thread()),
                Map.entry("ms", String.format(Locale.ROOT, "%.1f", fault.durationMs())),
                Map.entry("kind", fault.major() ? "major" : "minor"),
                Map.entry("address", Objects.requireNonNullElse(fault.address(), "")),
                Map.entry("file", file == null || file.isEmpty() ? fault.place() : file),
                Map.entry("section", Objects.requireNonNullElse(fault.section(), "")),
                Map.entry("hasStack", !fault.stack().isEmpty()),
                Map.entry("first", fault.stack().isEmpty() ? "" : fault.stack().get(0)),
                Map.entry("stack", String.join("\n", fault.stack())));
    }

    List<String> noted() {
        return files.diagnosis().map(each -> each.advice().noted()).orElse(List.of());
    }

    /** Returns the predictions of the scenario with their verdicts. */
    List<Map<String, Object>> conditions() {
        return files.run().judged().conditions().stream()
                .map(condition -> Map.<String, Object>of(
                        "claim", condition.claim(),
                        "verdict", condition.verdict(),
                        "class", classOf(condition.verdict()),
                        "figures", condition.figures()))
                .toList();
    }

    /** Returns the reason why the run did not pass, on one line; empty if it passed. */
    String doubt() {
        String verdict = files.document().finding().verdict();
        if ("pass".equals(verdict)) {
            return "";
        }
        List<String> doubts = files.run().judged().conditions().stream()
                .filter(condition -> condition.verdict().equals(verdict))
                .map(condition -> condition.claim() + ": " + condition.figures())
                .toList();
        return doubts.isEmpty()
                ? ""
                : doubts.get(0) + (doubts.size() == 1 ? "" : "; " + (doubts.size() - 1) + " more below");
    }

    static String classOf(String verdict) {
        return switch (verdict) {
            case "pass" -> "good";
            case "fail" -> "bad";
            default -> "doubt";
        };
    }

    /** Kernel, processor, JVM, versions: what the run's record has of them. */
    List<Map<String, Object>> environment() {
        EnvironmentRecord environment = files.run().origin().environment();
        List<Map<String, Object>> rows = new ArrayList<>();
        if (environment == null) {
            return rows;
        }
        add(rows, "naklab", environment.program().naklab());
        add(rows, "host", environment.program().host());
        add(rows, "JDK", environment.program().jdk());
        add(rows, "JVM", environment.program().vm());
        add(rows, "system", environment.machine().os());
        add(rows, "kernel", environment.machine().kernel());
        add(rows, "architecture", environment.machine().architecture());
        add(rows, "processor", environment.machine().processor());
        add(rows, "cores", environment.machine().cores());
        add(rows, "memory", bytes(environment.machine().memoryBytes()));
        add(rows, "C library", environment.machine().libc());
        add(rows, "Aeron", environment.libraries().aeron());
        add(rows, "Agrona", environment.libraries().agrona());
        add(rows, "Chronicle Queue", environment.libraries().chronicleQueue());
        if (!environment.jvmArguments().isEmpty()) {
            rows.add(Map.of(
                    "name", "JVM arguments", "value", String.join(" ", environment.jvmArguments()), "long", true));
        }
        add(rows, "net.core.rmem_max", bytes(environment.rmemMaxBytes()));
        add(rows, "commit", environment.commit());
        return rows;
    }

    /** Command line, preemption model, tick and the like: the settings of the kernel on which latencies depend; empty for runs of earlier versions. */
    List<Map<String, Object>> settings() {
        EnvironmentRecord environment = files.run().origin().environment();
        LatencySettings settings = environment == null ? null : environment.settings();
        List<Map<String, Object>> rows = new ArrayList<>();
        if (settings == null) {
            return rows;
        }
        addKnown(rows, "preemption model", settings.kernel().preemption());
        addKnown(
                rows, "tick", settings.kernel().tickHz() > 0 ? settings.kernel().tickHz() + " Hz" : "");
        addKnown(rows, "frequency governor", settings.kernel().governor());
        addKnown(rows, "transparent huge pages", settings.kernel().hugePages());
        addKnown(rows, "isolated CPUs", settings.cpus().isolatedCpus());
        addKnown(rows, "tickless CPUs", settings.cpus().ticklessCpus());
        addKnown(rows, "interrupts by CPUs", entries(settings.cpus().irqAffinity()));
        addKnown(rows, "hypervisor", settings.hypervisor());
        addKnown(rows, "mitigations", entries(settings.mitigations()));
        addKnown(rows, "command line", settings.commandLine());
        return rows;
    }

    /** Returns who else ran on the CPUs of the pinned receipt threads, the longest total first. */
    List<Map<String, Object>> shared() {
        return CoreShared.summed(files.events(TimelineEventType.CORE_SHARED)).stream()
                .map(shared -> Map.<String, Object>of(
                        "thread", shared.thread(),
                        "cpu", shared.cpu(),
                        "other", shared.other(),
                        "count", shared.share().count(),
                        "total", Format.milliseconds(shared.share().totalNs() / Units.NS_PER_MS),
                        "longest", Format.milliseconds(shared.share().longestNs() / Units.NS_PER_MS)))
                .toList();
    }

    private static String entries(Map<String, ?> map) {
        return map.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining("; "));
    }

    private static void addKnown(List<Map<String, Object>> rows, String name, String value) {
        rows.add(Map.of(
                "name",
                name,
                "value",
                value.isEmpty() ? "not reported, or none" : value,
                "long",
                value.length() > LONG));
    }

    private static void add(List<Map<String, Object>> rows, String name, @Nullable Object value) {
        if (value != null) {
            rows.add(Map.of("name", name, "value", String.valueOf(value), "long", false));
        }
    }

    private static @Nullable String bytes(@Nullable Long bytes) {
        return bytes == null ? null : Format.bytes(bytes);
    }

    /** The command that runs it again; of a record without one, what was typed. */
    String replay() {
        String command = files.run().origin().replay();
        return command == null || command.isEmpty()
                ? "naklab " + String.join(" ", files.run().origin().arguments())
                : command;
    }

    private <T> List<Map<String, Object>> rows(
            Function<DiagnosisRecord, List<T>> parts, Function<T, Map<String, Object>> as) {
        return files.diagnosis().map(parts).orElse(List.of()).stream().map(as).toList();
    }
}
