package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.causes.Baseline;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class BaselineTest {
    private static final String FEED_ID = "0123456789abcdef";

    /** The prediction does not rest on it. */
    private static final Diagnosis DIAGNOSIS =
            Diagnosis.of(new CaseFile("mds", 0, new Interval(0, 0), List.of(), List.of(), Map.of(), List.of()));

    private static final long EVENTS = 100_000;
    private static final long DIGEST = 0xabcdL;
    private static final TransportRecord QUIET = new TransportRecord(0, 0, 0, 0, 0, 0);

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
        TransportRecord troubled = new TransportRecord(1, 0, 0, 0, 0, 0);
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
    void shouldFailWhenJournalIsNotOnDisk() {
        RunOutcome outcome = outcome(EVENTS, service(EVENTS, 0, QUIET, DIGEST, false), journal(EVENTS));
        assertThat(verdict(outcome)).isEqualTo(Verdict.FAIL);
        assertThat(baseline.check(outcome))
                .extracting(Expectation::claim, Expectation::verdict, Expectation::figures)
                .contains(tuple("journal is on disk", Verdict.FAIL, "it could not be forced to disk"));
    }

    @Test
    void shouldDoubtJournalInWhichNothingIs() {
        assertThat(baseline.check(outcome(0, service(0, 0, QUIET, DIGEST), journal(0))))
                .filteredOn(condition -> condition.claim().equals("journal verifies"))
                .singleElement()
                .matches(condition -> condition.verdict() == Verdict.UNKNOWN)
                .matches(condition -> condition.figures().contains("nothing was there to verify"));
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
    void shouldDoubtRunThatForeignTrafficReached() {
        for (ForeignTrafficRecord foreign : List.of(
                new ForeignTrafficRecord(1, 0, 0, 0),
                new ForeignTrafficRecord(0, 1, 0, 0),
                new ForeignTrafficRecord(0, 0, 1, 0),
                new ForeignTrafficRecord(0, 0, 0, 1))) {
            RunOutcome outcome = outcome(EVENTS, service(EVENTS, 0, QUIET, foreign, DIGEST), journal(EVENTS));
            assertThat(verdict(outcome)).isEqualTo(Verdict.UNKNOWN);
            assertThat(baseline.check(outcome))
                    .extracting(Expectation::claim, Expectation::verdict, Expectation::figures)
                    .contains(tuple("no foreign traffic at mds", Verdict.UNKNOWN, foreign.describe()));
        }
    }

    @Test
    void shouldDoubtRunWithAnErrorOfTheTransport() {
        TransportRecord troubled = new TransportRecord(0, 0, 0, 0, 0, 3);
        RunOutcome outcome = outcome(EVENTS, service(EVENTS, 0, troubled, DIGEST), journal(EVENTS));
        assertThat(verdict(outcome)).isEqualTo(Verdict.UNKNOWN);
        assertThat(baseline.check(outcome))
                .extracting(Expectation::claim, Expectation::verdict, Expectation::figures)
                .contains(tuple("transport of mds had no error", Verdict.UNKNOWN, "3"));
    }

    @Test
    void shouldFailWhenTheTrailerNeverCameAndEventsDidNotEither() {
        ServiceReport blind = service(256_372, 0, QUIET, DIGEST).with(subscriber -> subscriber.ofPublished(3_200_000));
        assertThat(blind.events().missing()).isEqualTo(3_200_000 - 256_372);
        assertThat(blind.end().complete()).isFalse();
        assertThat(baseline.check(outcome(3_200_000, blind, journal(256_372))))
                .extracting(Expectation::claim, Expectation::verdict, Expectation::figures)
                .contains(tuple(
                        "mds has no missing, duplicated or reordered events",
                        Verdict.FAIL,
                        blind.events().missing() + ", 0, 0"));
        assertThat(service(EVENTS, 0, QUIET, DIGEST)
                        .with(subscriber -> subscriber.ofPublished(EVENTS))
                        .end()
                        .complete())
                .isTrue();
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
                baseline.check(outcome).stream().map(Expectation::verdict).toList());
    }

    @Test
    void shouldTellWhySocketsDropped() {
        SocketReading bad =
                new SocketReading("mds", "239.192.16.1", 23_000, 1_000, new SocketDrops(300, 300), Headroom.NONE);
        assertThat(baseline.check(outcome(0, service(0, 0, QUIET, DIGEST), journal(0), bad)))
                .filteredOn(condition -> condition.kind() == Baseline.Claims.NO_DROPS)
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.verdict()).isEqualTo(Verdict.FAIL);
                    assertThat(condition.figures()).isEqualTo("300, dropped because of a bad checksum (UDP_CSUM)");
                    assertThat(condition.claim()).doesNotContain("full socket");
                });
    }

    private RunOutcome outcome(long published, ServiceReport service, @Nullable Verification journal) {
        return outcome(published, service, journal, new SocketReading("mds", "239.192.16.1", 23_000, 1_000, 0));
    }

    private RunOutcome outcome(
            long published, ServiceReport service, @Nullable Verification journal, SocketReading socket) {
        ExchangeRecord exchange = new ExchangeRecord(
                new ExchangeRecord.Sent(published, DIGEST, 0),
                new ExchangeRecord.End(true, null),
                new ExchangeRecord.Intake(QUIET, ForeignTrafficRecord.NONE, FEED_ID),
                Map.of());
        return new RunOutcome(
                Plans.of(baseline, baseline.workload()),
                Map.of("mds", Role.SERVICE),
                exchange,
                List.of(service),
                journal,
                List.of(socket),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                InstrumentCoverage.none(),
                DIAGNOSIS,
                0,
                1);
    }

    private static ServiceReport service(long received, long missing, TransportRecord transport, long digest) {
        return service(received, missing, transport, ForeignTrafficRecord.NONE, digest, true);
    }

    private static ServiceReport service(
            long received, long missing, TransportRecord transport, ForeignTrafficRecord foreign, long digest) {
        return service(received, missing, transport, foreign, digest, true);
    }

    private static ServiceReport service(
            long received, long missing, TransportRecord transport, long digest, boolean isForced) {
        return service(received, missing, transport, ForeignTrafficRecord.NONE, digest, isForced);
    }

    private static ServiceReport service(
            long received,
            long missing,
            TransportRecord transport,
            ForeignTrafficRecord foreign,
            long digest,
            boolean isForced) {
        return new ServiceReport(
                new SubscriberRecord(
                        "mds",
                        Role.SERVICE.name(),
                        new SubscriberRecord.Events(received, received, missing, 0, 0),
                        new SubscriberRecord.Flow(0, 0, 0, 0),
                        new SubscriberRecord.End(digest, 0, true, true),
                        new SubscriberRecord.Intake(0, transport, isForced, foreign, FEED_ID),
                        new SubscriberRecord.Effects(Map.of(), 0L, 0.0, null)),
                null,
                null,
                null);
    }

    private static Verification journal(long events) {
        return new Verification(
                Path.of("journal"),
                events,
                1,
                events,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                true,
                events,
                DIGEST,
                DIGEST,
                2,
                0,
                0,
                0,
                0,
                List.of());
    }
}
