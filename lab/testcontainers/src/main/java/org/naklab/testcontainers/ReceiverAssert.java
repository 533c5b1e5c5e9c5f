package org.naklab.testcontainers;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.naklab.lab.core.Units;

/** Assertions about one receiver since the traffic began. */
public final class ReceiverAssert extends AbstractAssert<ReceiverAssert, MarketDataServiceContainer> {
    ReceiverAssert(MarketDataServiceContainer receiver) {
        super(receiver, ReceiverAssert.class);
    }

    /** Verifies that it sent no NAK. */
    public ReceiverAssert hasNoNaks() {
        ReceiverReport report = report();
        if (report.naksSent() != 0) {
            failWithMessage(
                    "%s sent %d NAKs, and none was expected; it received %d events, %d missing",
                    report.name(), report.naksSent(), report.received(), report.missing());
        }
        return this;
    }

    /** Verifies that it sent NAKs. */
    public ReceiverAssert sentNaks() {
        ReceiverReport report = report();
        if (report.naksSent() == 0) {
            failWithMessage(
                    "%s sent no NAK, and some were expected; it received %d events, %d missing",
                    report.name(), report.received(), report.missing());
        }
        return this;
    }

    /** Verifies that it received every event, from the first to the trailer, repaired ones included. */
    public ReceiverAssert lostNothing() {
        ReceiverReport report = report();
        if (report.missing() != 0 || !report.complete()) {
            failWithMessage(
                    "%s lost events: %d received, %d missing, trailer %s, after %d NAKs",
                    report.name(),
                    report.received(),
                    report.missing(),
                    report.trailerSeen() ? "seen" : "not seen",
                    report.naksSent());
        }
        return this;
    }

    /** Verifies that it lost events for good. */
    public ReceiverAssert lostEvents() {
        ReceiverReport report = report();
        if (report.missing() == 0 && report.complete()) {
            failWithMessage(
                    "%s lost nothing: %d received, after %d NAKs", report.name(), report.received(), report.naksSent());
        }
        return this;
    }

    /** Reads its journal, and verifies that each event that it received is there once, in order, unchanged. */
    public ReceiverAssert journalIsComplete() {
        ReceiverReport report = report();
        if (!report.hasJournal()) {
            failWithMessage("%s is a gateway, and has no journal", report.name());
        }
        if (report.journaled() != report.received() || !report.complete()) {
            failWithMessage(
                    "%s has %d of %d events in its journal, %s",
                    report.name(),
                    report.journaled(),
                    report.received(),
                    report.complete() ? "and received all" : report.missing() + " missing");
        }
        JournalVerification journal = actual.verifyJournal();
        if (!journal.passed() || journal.events() != report.received()) {
            failWithMessage(
                    "%s received %d events; its journal: %d events, %d missing, %d duplicates, %d reordered, %d damaged;"
                            + " naklab journal verify %s",
                    report.name(),
                    report.received(),
                    journal.events(),
                    journal.missing(),
                    journal.duplicates(),
                    journal.reordered(),
                    journal.damaged(),
                    journal.passed() ? "passed" : "failed");
        }
        return this;
    }

    /** Verifies that it stalled exactly once for that long; shorter stalls are not counted. */
    public ReceiverAssert stalledOnce(Duration atLeast, Duration atMost) {
        List<Duration> longOnes = stallsFrom(atLeast);
        if (longOnes.size() != 1 || longOnes.get(0).compareTo(atMost) > 0) {
            failWithMessage(
                    "%s was to stall once for %d to %d ms; of its stalls %s ms, %d lasted so long at least",
                    actual.processName(), atLeast.toMillis(), atMost.toMillis(), stallsMs(), longOnes.size());
        }
        return this;
    }

    /** Verifies that it never stalled for that long. */
    public ReceiverAssert didNotStall(Duration atLeast) {
        if (!stallsFrom(atLeast).isEmpty()) {
            failWithMessage(
                    "%s was not to stall for %d ms; its stalls took %s ms",
                    actual.processName(), atLeast.toMillis(), stallsMs());
        }
        return this;
    }

    private List<Duration> stallsFrom(Duration atLeast) {
        return actual.stalls().stream()
                .filter(stall -> stall.compareTo(atLeast) >= 0)
                .toList();
    }

    private List<Double> stallsMs() {
        return actual.stalls().stream()
                .map(stall -> stall.toNanos() / Units.NS_PER_MS)
                .toList();
    }

    private ReceiverReport report() {
        isNotNull();
        return actual.report();
    }
}
