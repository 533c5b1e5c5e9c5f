package org.naklab.testcontainers;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.naklab.journaler.Verification;
import org.naklab.lab.replica.process.Role;
import org.naklab.lab.replica.service.ServiceReport;

/** Assertions about one receiver since the traffic began. */
public final class ReceiverAssert extends AbstractAssert<ReceiverAssert, MarketDataServiceContainer> {
    ReceiverAssert(MarketDataServiceContainer receiver) {
        super(receiver, ReceiverAssert.class);
    }

    /** Verifies that it sent no NAK. */
    public ReceiverAssert hasNoNaks() {
        ServiceReport report = report();
        if (report.transport().naksSent() != 0) {
            failWithMessage(
                    "%s sent %d NAKs, and none was expected; it received %d events, %d missing",
                    report.name(), report.transport().naksSent(), report.received(), report.missing());
        }
        return this;
    }

    /** Verifies that it sent NAKs. */
    public ReceiverAssert sentNaks() {
        ServiceReport report = report();
        if (report.transport().naksSent() == 0) {
            failWithMessage(
                    "%s sent no NAK, and some were expected; it received %d events, %d missing",
                    report.name(), report.received(), report.missing());
        }
        return this;
    }

    /** Verifies that it received every event, from the first to the trailer, repaired ones included. */
    public ReceiverAssert lostNothing() {
        ServiceReport report = report();
        if (report.missing() != 0 || !report.complete()) {
            failWithMessage(
                    "%s lost events: %d received, %d missing, trailer %s, after %d NAKs",
                    report.name(),
                    report.received(),
                    report.missing(),
                    report.trailerSeen() ? "seen" : "not seen",
                    report.transport().naksSent());
        }
        return this;
    }

    /** Verifies that it lost events for good. */
    public ReceiverAssert lostEvents() {
        ServiceReport report = report();
        if (report.missing() == 0 && report.complete()) {
            failWithMessage(
                    "%s lost nothing: %d received, after %d NAKs",
                    report.name(), report.received(), report.transport().naksSent());
        }
        return this;
    }

    /** Reads its journal, and verifies that each event that it received is there once, in order, unchanged. */
    public ReceiverAssert journalIsComplete() {
        ServiceReport report = report();
        if (report.role() != Role.SERVICE) {
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
        Verification journal = actual.verifyJournal();
        if (!journal.passed() || journal.events() != report.received()) {
            failWithMessage(
                    "%s received %d events; its journal: %s",
                    report.name(), report.received(), String.join("; ", journal.summary()));
        }
        return this;
    }

    /** Verifies that it stalled exactly once for that long; shorter stalls are not counted. */
    public ReceiverAssert stalledOnce(Duration atLeast, Duration atMost) {
        List<Double> longOnes = stallsFrom(atLeast);
        if (longOnes.size() != 1 || longOnes.get(0) > atMost.toNanos() / 1e6) {
            failWithMessage(
                    "%s was to stall once for %d to %d ms; of its stalls %s ms, %d lasted so long at least",
                    actual.processName(), atLeast.toMillis(), atMost.toMillis(), actual.stallsMs(), longOnes.size());
        }
        return this;
    }

    /** Verifies that it never stalled for that long. */
    public ReceiverAssert didNotStall(Duration atLeast) {
        if (!stallsFrom(atLeast).isEmpty()) {
            failWithMessage(
                    "%s was not to stall for %d ms; its stalls took %s ms",
                    actual.processName(), atLeast.toMillis(), actual.stallsMs());
        }
        return this;
    }

    private List<Double> stallsFrom(Duration atLeast) {
        return actual.stallsMs().stream()
                .filter(durationMs -> durationMs >= atLeast.toNanos() / 1e6)
                .toList();
    }

    private ServiceReport report() {
        isNotNull();
        return actual.report();
    }
}
