package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.records.DiagnosisRecord;

/** The suspects of a diagnosis: the culprit first and marked, then those that are left, and apart from them those that were ruled out. */
final class Suspects {
    /** Under which name a cause stands among the suspects. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("traffic-burst", "traffic burst"),
            Map.entry("cpu-preemption", "pre-emption of the receipt thread"),
            Map.entry("kernel-interference", "interrupts on the CPU of the receipt thread"),
            Map.entry("cpu-throttled", "CPU quota of the cgroup"),
            Map.entry("slow-callback", "slow callback"),
            Map.entry("blocking-call", "blocking in poll"),
            Map.entry("not-notified", "blocking in poll"),
            Map.entry("lock-wait", "lock or file lock"),
            Map.entry("file-lock-wait", "lock or file lock"),
            Map.entry("major-fault", "page fault or memory reclaim"),
            Map.entry("memory-pressure", "page fault or memory reclaim"),
            Map.entry("late-binding-major-fault", "page fault or memory reclaim"),
            Map.entry("disk-wait", "disk or file system"),
            Map.entry("slow-consumer", "slow journal writes"),
            Map.entry("gc-or-safepoint", "garbage collection or safepoint"),
            Map.entry("vm-operation", "garbage collection or safepoint"),
            Map.entry("time-to-safepoint", "garbage collection or safepoint"),
            Map.entry("process-paused", "process paused"),
            Map.entry("process-frozen", "process paused"),
            Map.entry("process-traced", "process paused"),
            Map.entry("machine-stalled", "machine stalled"),
            Map.entry("network-loss", "loss on the network"),
            Map.entry("network-delay", "loss on the network"));

    private final List<DiagnosisRecord.Suspect> all;
    private final String cause;
    private final String confidence;
    private final String evidence;
    private final List<Map<String, Object>> furtherCauses;
    private final Set<String> named = new HashSet<>();

    Suspects(RunFiles files) {
        DiagnosisRecord diagnosis = files.diagnosis().orElse(null);
        all = diagnosis == null ? List.of() : diagnosis.grounds().suspects();
        cause = diagnosis == null ? "" : diagnosis.named().cause();
        confidence = diagnosis == null
                ? ""
                : Objects.requireNonNullElse(diagnosis.named().confidence(), "");
        evidence = diagnosis == null
                ? ""
                : diagnosis.grounds().evidence().stream()
                        .map(each -> each.text() + " (" + each.figure() + ")")
                        .collect(Collectors.joining("; "));
        named.add(NAMES.getOrDefault(cause, ""));
        files.diagnosed().causes().forEach(other -> named.add(NAMES.getOrDefault(other.cause(), "")));
        furtherCauses = files.diagnosed().causes().stream()
                .skip(1)
                .map(other -> row(
                        other.cause(),
                        "further cause" + (other.confidence() == null ? "" : ", " + other.confidence()),
                        other.thread() + " " + Format.milliseconds(other.durationMs()) + ", "
                                + Format.count(other.lostDatagrams()) + " datagrams lost",
                        "bad"))
                .toList();
    }

    boolean isEmpty() {
        return all.isEmpty() && !hasCulprit();
    }

    private boolean hasCulprit() {
        return !cause.isEmpty() && !cause.equals("clean") && !cause.equals("cannot-tell");
    }

    private boolean isCulprit(DiagnosisRecord.Suspect suspect) {
        return hasCulprit() && suspect.suspect().equals(NAMES.get(cause));
    }

    /** Returns the culprit, further causes and the suspects that are left, in this order. */
    List<Map<String, Object>> left() {
        List<Map<String, Object>> rows = new ArrayList<>();
        if (hasCulprit()) {
            String own = all.stream()
                    .filter(this::isCulprit)
                    .map(DiagnosisRecord.Suspect::figure)
                    .collect(Collectors.joining("; "));
            Map<String, Object> culprit = new HashMap<>(row(
                    cause,
                    "the cause" + (confidence.isEmpty() ? "" : ", " + confidence),
                    evidence.isEmpty() ? own : evidence,
                    "bad"));
            culprit.put("culprit", true);
            rows.add(culprit);
            rows.addAll(furtherCauses);
        }
        all.stream()
                .filter(suspect -> !suspect.ruledOut() && !named.contains(suspect.suspect()))
                .map(suspect -> row(suspect.suspect(), "not ruled out", suspect.figure(), "doubt"))
                .forEach(rows::add);
        return rows;
    }

    /** Returns the suspects that a figure rules out. */
    List<Map<String, Object>> ruledOut() {
        return all.stream()
                .filter(suspect -> suspect.ruledOut() && !isCulprit(suspect))
                .map(suspect -> row(suspect.suspect(), "ruled out", suspect.figure(), "good"))
                .toList();
    }

    private static Map<String, Object> row(String suspect, String state, String figure, String styleClass) {
        return Map.of("suspect", suspect, "state", state, "figure", figure, "class", styleClass, "culprit", false);
    }
}
