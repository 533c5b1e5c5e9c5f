package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.records.InstrumentsRecord;

/** Prepares the instruments of a run for the template. */
final class Instruments {
    /** A sampler that was as late as a long stall can have missed one. */
    private static final long LATE_NS = 100_000_000;

    private static final double MISSED_SHARE = 0.02;

    private Instruments() {}

    /** @param instruments {@code null} if the run's record has none */
    static Map<String, Object> of(@Nullable InstrumentsRecord instruments) {
        InstrumentsRecord told =
                instruments == null ? new InstrumentsRecord(List.of(), List.of(), null, List.of()) : instruments;
        return Map.of(
                "hasInstruments", instruments != null,
                "reading", told.reading(),
                "blind", told.blind(),
                "unblind", told.blind().isEmpty(),
                "sampler", sampler(told.sampler()),
                "blindness", blindness(told),
                "isBlind", !blindness(told).isEmpty(),
                "stackless", stackless(instruments));
    }

    /** Returns the reason why there is no stack of a major fault. */
    private static String stackless(@Nullable InstrumentsRecord instruments) {
        if (instruments == null) {
            return "No stack of a major fault; the run's record does not say whether perf was recording.";
        }
        return instruments.blind().stream()
                .filter(line -> line.contains("perf"))
                .findFirst()
                .orElse(
                        instruments.reading().stream().anyMatch(line -> line.contains("by perf"))
                                ? "No stack: perf was recording and saw no major fault of the receipt thread."
                                : "No stack of a major fault: no instrument recorded stacks.");
    }

    /** Returns what the instruments could not see, on one line, as it belongs beside the headline; empty if that is nothing that matters. */
    private static String blindness(InstrumentsRecord told) {
        List<String> reasons = new ArrayList<>();
        InstrumentsRecord.Sampler sampler = told.sampler();
        if (sampler != null
                && (sampler.maxLatenessNs() > LATE_NS || sampler.missedTicks() > MISSED_SHARE * sampler.ticks())) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the sampler missed %s of %s readings and was up to %.1f ms late",
                    Format.count(sampler.missedTicks()),
                    Format.count(sampler.ticks() + sampler.missedTicks()),
                    sampler.maxLatenessNs() / Units.NS_PER_MS));
        }
        if (sampler != null && sampler.lostSamples() > 0) {
            reasons.add(Format.count(sampler.lostSamples()) + " samples were lost");
        }
        if (!told.blind().isEmpty()) {
            reasons.add(told.blind().get(0)
                    + (told.blind().size() == 1 ? "" : ", and " + (told.blind().size() - 1) + " more below"));
        }
        return reasons.isEmpty() ? "" : "Partly blind: " + String.join("; ", reasons) + ".";
    }

    private static String sampler(InstrumentsRecord.@Nullable Sampler sampler) {
        if (sampler == null) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "The sampler took %s ticks, missed %s, was at most %.1f ms late, used %.1f %% of a core and lost %s samples.",
                Format.count(sampler.ticks()),
                Format.count(sampler.missedTicks()),
                sampler.maxLatenessNs() / Units.NS_PER_MS,
                sampler.shareOfACore() * 100,
                Format.count(sampler.lostSamples()));
    }
}
