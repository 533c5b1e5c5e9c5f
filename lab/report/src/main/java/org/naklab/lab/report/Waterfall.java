package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.EvictionRecord;

/** The causal chain in the order of the diagnosis: as rows of a table, as bars of a waterfall on the charts' axis, and as marks in the charts. */
final class Waterfall {
    private static final long COARSENESS_NS = 2_000_000;

    /** Of a chain of many repairs, the first ones tell it. */
    private static final Map<String, String> MARKS = Map.of(
            TimelineEventType.DATAGRAMS_DROPPED.name(), "first drop",
            TimelineEventType.NAK_SENT.name(), "NAK",
            TimelineEventType.REPAIRED.name(), "repaired");

    private final RunFiles files;
    private final TimeAxis axis;
    private final Optional<Stall> stall;
    private final Optional<Long> referenceNs;

    Waterfall(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
        stall = files.causalStall();
        referenceNs = stall.map(Stall::atNs).or(() -> files.focus().map(Interval::beginNs));
    }

    /**
     * Returns the links from cause to effect. Their times need not rise: a depth is read once in a millisecond, and an effect may be seen before
     * the cause has ended. The diagnosis says which are out of order by more.
     */
    private List<DiagnosisRecord.Link> links() {
        return files.diagnosis().map(each -> each.grounds().chain()).orElse(List.of());
    }

    /** Returns what the times of the rows count from. */
    String reference() {
        return stall.isPresent() ? "the beginning of the stall" : "the first sign of the cause";
    }

    /** Returns the rows of the table. */
    List<Map<String, Object>> rows() {
        return links().stream().map(this::row).toList();
    }

    private Map<String, Object> row(DiagnosisRecord.Link link) {
        Long atNs = link.atNs();
        boolean isPresent = link.present() && atNs != null;
        long timeNs = atNs == null ? 0 : atNs;
        boolean isInOrder = !Boolean.FALSE.equals(link.inOrder());
        return Map.of(
                "link", words(link.link()),
                "hasTime", isPresent,
                "at", isPresent ? axis.microseconds(timeNs) : 0,
                "time", isPresent ? axis.clock(timeNs) : "not seen",
                "after", isPresent ? sinceStall(timeNs) : "",
                "state", isPresent ? isInOrder ? "seen" : "out of order" : "missing",
                "class", isPresent ? isInOrder ? "good" : "doubt" : "bad");
    }

    /** Returns the bars: begin and end on the axis in microseconds, the name, and the time from the stall's beginning. */
    List<Map<String, Object>> bars() {
        List<Map<String, Object>> bars = new ArrayList<>();
        for (DiagnosisRecord.Link link : links()) {
            Long atNs = link.atNs();
            if (link.present() && atNs != null) {
                long endNs = endOf(link.link(), atNs);
                Map<String, Object> bar = new HashMap<>();
                bar.put("name", words(link.link()));
                bar.put("begin", axis.microseconds(atNs));
                bar.put("end", axis.microseconds(endNs));
                bar.put(
                        "text",
                        sinceStall(atNs)
                                + (endNs > atNs ? ", " + Format.milliseconds((endNs - atNs) / Units.NS_PER_MS) : ""));
                bar.put("short", shortAfter(atNs));
                bars.add(bar);
            }
        }
        return bars;
    }

    /** Returns the end of what a link is about, if it lasts; an instant ends when it begins. */
    private long endOf(String link, long atNs) {
        if (link.equals(TimelineEventType.STALL.name())) {
            return stall.filter(each -> Math.abs(each.atNs() - atNs) < COARSENESS_NS)
                    .map(Stall::endNs)
                    .orElse(atNs);
        }
        if (!link.equals(TimelineEventType.SYMBOL_BOUND.name())) {
            return atNs;
        }
        return files.events().stream()
                .filter(event -> event.type().name().equals(link)
                        && event.process().equals(ProcessNames.SERVICE)
                        && event.timeNs() == atNs)
                .mapToLong(TimelineEvent::endNs)
                .max()
                .orElse(atNs);
    }

    /** Returns the marks of the charts: the begin of the eviction, the first drop, the first NAK, the repair, and the second boundary before the focus. */
    List<Map<String, Object>> marks() {
        List<Map<String, Object>> marks = new ArrayList<>();
        files.focus()
                .map(Interval::beginNs)
                .filter(focusNs -> axis.hasSeconds())
                .ifPresent(focusNs -> {
                    long boundaryNs = axis.originNs()
                            + Math.floorDiv(focusNs - axis.originNs(), Units.SECOND_NS) * Units.SECOND_NS;
                    marks.add(mark("second boundary", boundaryNs, "boundary"));
                });
        EvictionRecord memory = files.run().used().memory();
        if (memory != null) {
            marks.add(mark("eviction began " + shortAfter(memory.evictionBeganNs()), memory.evictionBeganNs(), "link"));
        }
        long lastNs = 0;
        for (DiagnosisRecord.Link link : links()) {
            Long atNs = link.atNs();
            String name = MARKS.get(link.link());
            if (name != null && link.present() && atNs != null && atNs - lastNs > COARSENESS_NS) {
                lastNs = atNs;
                marks.add(mark(name + " " + shortAfter(atNs), atNs, "link"));
            }
        }
        return marks;
    }

    private Map<String, Object> mark(String text, long atNs, String kind) {
        return Map.of("text", text, "at", axis.microseconds(atNs), "kind", kind);
    }

    private String shortAfter(long atNs) {
        return referenceNs
                .map(beginNs -> String.format(Locale.ROOT, "%+.0f ms", (atNs - beginNs) / Units.NS_PER_MS))
                .orElse("");
    }

    private String sinceStall(long atNs) {
        return referenceNs
                .map(beginNs -> String.format(Locale.ROOT, "%+.3f ms", (atNs - beginNs) / Units.NS_PER_MS))
                .orElse("");
    }

    /** {@code RATE_LIMIT_HIT} as {@code rate limit hit}; what is written in capitals as a word stays so. */
    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT)
                .replace('_', ' ')
                .replace("nak ", "NAK ")
                .replace("wake ", "wake-up ");
    }
}
