package org.naklab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.journaler.Verification;
import org.naklab.lab.diagnose.CaseFile;
import org.naklab.lab.diagnose.Diagnosis;
import org.naklab.lab.process.ArrivalPattern;
import org.naklab.lab.process.ExchangeReport;
import org.naklab.lab.process.Role;
import org.naklab.lab.process.ServiceReport;
import org.naklab.lab.process.TransportReport;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class BaselineTest {
    /** The prediction does not rest on it. */
    private static final Diagnosis DIAGNOSIS =
            Diagnosis.of(new CaseFile("mds", new CaseFile.Window(0, 0), List.of(), List.of(), Map.of()));

    private static final long EVENTS = 100_000;
    private static final long DIGEST = 0xabcdL;
    private static final TransportReport QUIET = new TransportReport(0, 0, 0, 0, 0, 0);

    private final Baseline baseline = new Baseline();

    @Test
    void shouldPassWhenEverythingArrived() {
        assertThat(verdict(outcome(EVENTS, service(EVENTS, 0, QUIET, DIGEST), journal(EVENTS))))
                .isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldFailWhenServiceMissedAnEvent() {
        assertThat(verdict(outcome(EVENTS, service(EVENTS - 1, 1, QUIET, DIGEST), journal(EVENTS))))
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldFailWhenServiceSentNak() {
        TransportReport troubled = new TransportReport(1, 0, 0, 0, 0, 0);
        assertThat(verdict(outcome(EVENTS, service(EVENTS, 0, troubled, DIGEST), journal(EVENTS))))
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldFailWhenDigestDiffers() {
        assertThat(verdict(outcome(EVENTS, service(EVENTS, 0, QUIET, DIGEST + 1), journal(EVENTS))))
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldFailWhenJournalIsShort() {
        assertThat(verdict(outcome(EVENTS, service(EVENTS, 0, QUIET, DIGEST), journal(EVENTS - 1))))
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldDoubtRunWithoutJournal() {
        assertThat(verdict(outcome(EVENTS, service(EVENTS, 0, QUIET, DIGEST), null)))
                .isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldDoubtRunThatOfferedLessThanAsked() {
        long offered = EVENTS / 2;
        assertThat(verdict(outcome(offered, service(offered, 0, QUIET, DIGEST), journal(offered))))
                .isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldCountMostOfAShortFlow() {
        assertThat(baseline.warmUpNs(Plans.of(baseline, baseline.workload()))).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        Workload brief =
                new Workload(null, 8, ArrivalPattern.CONSTANT, 10_000, 0, 0, null, TimeUnit.SECONDS.toNanos(1));
        assertThat(baseline.warmUpNs(Plans.of(baseline, brief))).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    private Verdict verdict(RunOutcome outcome) {
        return Verdict.of(
                baseline.check(outcome).stream().map(Condition::verdict).toList());
    }

    private RunOutcome outcome(long published, ServiceReport service, @Nullable Verification journal) {
        ExchangeReport exchange = new ExchangeReport(published, DIGEST, 0, true, null, QUIET, Map.of());
        return new RunOutcome(
                Plans.of(baseline, baseline.workload()),
                exchange,
                List.of(service),
                journal,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                Observation.none(),
                DIAGNOSIS,
                0,
                1);
    }

    private static ServiceReport service(long received, long missing, TransportReport transport, long digest) {
        return new ServiceReport(
                "mds",
                Role.SERVICE,
                received,
                received,
                missing,
                0,
                0,
                0,
                0,
                0,
                0,
                digest,
                0,
                true,
                true,
                0,
                transport,
                Map.of());
    }

    private static Verification journal(long events) {
        return new Verification(
                Path.of("journal"), events, 1, events, 0, 0, 0, 0, 0, 0, false, true, events, DIGEST, DIGEST);
    }
}
