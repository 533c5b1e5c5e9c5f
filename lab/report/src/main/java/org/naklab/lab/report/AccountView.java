package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.records.Stall;

/** The accounts of a run's stalls: the one of the main stall as a bar with a legend, the others as rows of a table. */
final class AccountView {
    /** Without what is unexplained. */
    private static final int MAX_PARTS = 11;

    private static final int MAX_OTHERS = 40;
    /** Narrower parts could not be seen on a telephone, percent of the bar. */
    private static final double LEAST_WIDTH = 0.8;
    /** Narrower parts have no room for their number, percent of the bar. */
    private static final double NUMBER_WIDTH = 5;

    private static final double PERCENT = 100;
    private static final String UNEXPLAINED = "unexplained";

    /** The share of one group of kinds from which on the bar is drawn low. */
    private static final double ONE_COLOUR = 0.9;

    /**
     * A part of the bar.
     *
     * @param group its style class
     * @param ms its length, milliseconds
     */
    private record Part(String name, String group, double ms, String detail) {
        static Part of(AccountEntry entry) {
            return new Part(entry.kind().words(), AccountView.group(entry.kind()), entry.ms(), entry.detail());
        }
    }

    private final RunFiles files;
    private final TimeAxis axis;

    private AccountView(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
    }

    /** Returns the values of the template. */
    static Map<String, Object> of(RunFiles files, TimeAxis axis) {
        return new AccountView(files, axis).values();
    }

    private Map<String, Object> values() {
        Optional<Stall> main = files.mainStall().filter(AccountView::hasAccount);
        List<Stall> others = files.document().longestStalls().stream()
                .filter(AccountView::hasAccount)
                .filter(stall -> !main.filter(stall::equals).isPresent())
                .toList();
        List<Part> parts = main.map(stall -> parts(stall.account())).orElse(List.of());
        Map<String, Object> values = new HashMap<>();
        values.put("hasAccount", main.isPresent());
        values.put("isAccountOfCause", files.causalStall().isPresent());
        values.put("accountCause", main.map(Stall::cause).orElse(""));
        values.put("accountText", main.map(stall -> text(stall, parts)).orElse(""));
        values.put("accountParts", bar(parts));
        values.put("isOneColour", isOneColour(parts));
        values.put("hasOtherAccounts", !others.isEmpty());
        values.put(
                "otherAccounts",
                others.stream()
                        .limit(MAX_OTHERS)
                        .sorted(Comparator.comparingLong(Stall::atNs))
                        .map(this::row)
                        .toList());
        values.put("hasMoreAccounts", others.size() > MAX_OTHERS);
        values.put("moreAccounts", others.size() - MAX_OTHERS);
        return values;
    }

    /** A bar of one colour shows nothing that its table does not say. */
    private static boolean isOneColour(List<Part> parts) {
        double totalMs = parts.stream().mapToDouble(Part::ms).sum();
        return parts.stream()
                .collect(Collectors.groupingBy(Part::group, Collectors.summingDouble(Part::ms)))
                .values()
                .stream()
                .anyMatch(ms -> ms >= ONE_COLOUR * totalMs);
    }

    private static boolean hasAccount(Stall stall) {
        return stall.account().totalMs() > 0;
    }

    /** Returns the parts for which a bar has room: of very many, the shortest are added up; what is unexplained stays. */
    private static List<Part> parts(StallAccount account) {
        List<AccountEntry> known = account.entries().stream()
                .filter(entry -> entry.kind() != AccountKind.UNEXPLAINED)
                .toList();
        int shown = known.size() <= MAX_PARTS ? known.size() : MAX_PARTS - 1;
        List<Part> parts =
                new ArrayList<>(known.stream().limit(shown).map(Part::of).toList());
        List<AccountEntry> rest = known.subList(shown, known.size());
        if (!rest.isEmpty()) {
            String kinds =
                    rest.stream().map(entry -> entry.kind().words()).distinct().collect(Collectors.joining(", "));
            double restMs = rest.stream().mapToDouble(AccountEntry::ms).sum();
            parts.add(new Part("other", "other", restMs, rest.size() + " shorter parts: " + kinds));
        }
        account.entries().stream()
                .filter(entry -> entry.kind() == AccountKind.UNEXPLAINED)
                .map(Part::of)
                .forEach(parts::add);
        return grouped(parts);
    }

    /** Returns the parts of one colour side by side, the colour with the longest time first: the diagnosis names the sum, not the longest part. What is unexplained stays last. */
    private static List<Part> grouped(List<Part> parts) {
        Map<String, Double> totals =
                parts.stream().collect(Collectors.groupingBy(Part::group, Collectors.summingDouble(Part::ms)));
        return parts.stream()
                .sorted(Comparator.comparing((Part part) -> part.group().equals(UNEXPLAINED))
                        .thenComparing(part -> -totals.getOrDefault(part.group(), 0.0))
                        .thenComparing(Part::group)
                        .thenComparing(part -> -part.ms()))
                .toList();
    }

    private static List<Map<String, Object>> bar(List<Part> parts) {
        double totalMs = parts.stream().mapToDouble(Part::ms).sum();
        double[] widths = parts.stream()
                .mapToDouble(part -> Math.max(LEAST_WIDTH, PERCENT * part.ms() / totalMs))
                .toArray();
        double sum =
                IntStream.range(0, widths.length).mapToDouble(i -> widths[i]).sum();
        List<Map<String, Object>> bar = new ArrayList<>();
        double x = 0;
        for (int i = 0; i < widths.length; i++) {
            Part part = parts.get(i);
            double width = widths[i] * PERCENT / sum;
            Map<String, Object> values = new HashMap<>();
            values.put("number", i + 1);
            values.put("name", part.name());
            values.put("group", part.group());
            values.put("x", decimal(x));
            values.put("width", decimal(width));
            values.put("middle", decimal(x + width / 2));
            values.put("isWide", width >= NUMBER_WIDTH);
            values.put("exactMs", String.valueOf(part.ms()));
            values.put("ms", milliseconds(part));
            values.put("share", share(part, totalMs));
            values.put("detail", part.detail());
            bar.add(values);
            x += width;
        }
        return bar;
    }

    /** Returns the figures of the bar as one sentence. */
    private static String text(Stall stall, List<Part> parts) {
        double totalMs = stall.account().totalMs();
        return parts.stream()
                .map(part -> milliseconds(part) + " ms " + part.name() + " (" + share(part, totalMs)
                        + (part.detail().isEmpty() ? "" : ", " + part.detail()) + ")")
                .collect(Collectors.joining(", ", "Of " + Format.milliseconds(totalMs) + ": ", "."));
    }

    private Map<String, Object> row(Stall stall) {
        return Map.of(
                "at", axis.microseconds(stall.atNs()),
                "time", axis.clock(stall.atNs()),
                "thread", stall.who(),
                "length", Format.milliseconds(stall.durationMs()),
                "account", String.join(" ", stall.account().terms()));
    }

    /** Returns the style class: kinds that concern the same part of the system have the same colour. */
    private static String group(AccountKind kind) {
        return switch (kind) {
            case ON_CPU -> "on-cpu";
            case PREEMPTED, INTERRUPTED, THROTTLED, STOLEN -> "scheduler";
            case LOCK, FILE_LOCK, PIPE, TERMINAL, SOCKET, NOT_NOTIFIED -> "wait";
            case DISK, PAGE_FAULT, SWAP, RECLAIM -> "memory";
            case FROZEN, STOPPED, TRACED -> "stopped";
            case GC, VM_OPERATION, TIME_TO_SAFEPOINT -> "jvm";
            case SLEEP -> "sleep";
            case OTHER_WAIT -> "other";
            case UNEXPLAINED -> UNEXPLAINED;
        };
    }

    private static String milliseconds(Part part) {
        return String.format(Locale.ROOT, part.ms() < 0.1 ? "%.3f" : "%.1f", part.ms());
    }

    private static String share(Part part, double totalMs) {
        double percent = PERCENT * part.ms() / totalMs;
        return percent < 0.1 ? "<0.1 %" : String.format(Locale.ROOT, "%.1f %%", percent);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
