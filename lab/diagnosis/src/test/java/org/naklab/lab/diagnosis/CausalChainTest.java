package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.MAJOR_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.RATE_LIMIT_HIT;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.SYMBOL_BOUND;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;
import static org.naklab.lab.core.timeline.TimelineEventType.WAKE_FAILED;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Times in milliseconds; the stall begins at 5. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CausalChainTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @ParameterizedTest
    @ValueSource(doubles = {5, 6.9})
    void shouldTieABindToTheStallThatBeginsWithIt(double bindAtMs) {
        Diagnosis diagnosis = bound(bindAtMs);
        assertThat(diagnosis.cause()).isEqualTo(Cause.LATE_BINDING_MAJOR_FAULT);
        assertThat(diagnosis.chain()).isNotEmpty().allMatch(Link::present).allMatch(Link::inOrder);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.CERTAIN);
    }

    @Test
    void shouldNotBeCertainOfABindThatBeganMoreThanTwoMillisecondsLater() {
        Diagnosis diagnosis = bound(7.1);
        assertThat(diagnosis.chain())
                .filteredOn(link -> !link.inOrder())
                .extracting(Link::type)
                .contains(TimelineEventType.STALL);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.LIKELY);
    }

    @Test
    void shouldNotTakeABindThatBeganBeforeTheStall() {
        Diagnosis diagnosis = bound(2.9);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(diagnosis.chain())
                .filteredOn(Link::present)
                .extracting(Link::type)
                .doesNotContain(SYMBOL_BOUND);
    }

    /** The kernel counts a fault when it is over, and who is blocked is looked up some milliseconds late. */
    @ParameterizedTest
    @CsvSource({"1, true", "6.5, true", "11, false"})
    void shouldAllowForTheTimeInWhichAFaultMayHaveBegun(double earliestMs, boolean isInOrder) {
        Diagnosis diagnosis = sampled(5.1)
                .event(12, MAJOR_FAULT, "faults", 2L, "earliestNs", Incident.ns(earliestMs))
                .loss(80)
                .diagnose();
        assertThat(diagnosis.chain())
                .filteredOn(link -> link.type() == MAJOR_FAULT)
                .extracting(Link::atNs)
                .containsExactly(Incident.ns(12));
        assertThat(diagnosis.chain().stream().allMatch(Link::inOrder)).isEqualTo(isInOrder);
    }

    /** A reader that is a bit behind lets its socket fill; it is the stall's doing from when the socket's depth counts as growth. */
    @ParameterizedTest
    @CsvSource({"-4, 1, 6", "-4, 5, 10", "-4, 14, 19", "4, 3, 4", "6, 5, 6", "-4, -4, 30"})
    void shouldTakeARiseThatBecameOneInTheStall(double beganMs, double grownAfterMs, double atMs) {
        Diagnosis diagnosis = delayedBind()
                .event(beganMs, SOCKET_DEPTH_RISE, "grownNs", Incident.ns(5 + grownAfterMs))
                .loss(80)
                .diagnose();
        assertThat(riseNs(diagnosis)).isEqualTo(Incident.ns(atMs));
        assertThat(diagnosis.chain()).isNotEmpty().allMatch(Link::inOrder);
    }

    @Test
    void shouldNotBlameABurstForWhatWasLostBeforeIt() {
        Diagnosis diagnosis = burst().loss(100).loss(660).diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.TRAFFIC_BURST);
        assertThat(diagnosis.chain())
                .filteredOn(link -> link.type() == DATAGRAMS_DROPPED)
                .extracting(Link::atNs)
                .allSatisfy(atNs -> assertThat(atNs).isGreaterThan(Incident.ns(600)));
        assertThat(diagnosis.chain()).isNotEmpty().allMatch(Link::inOrder);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.CERTAIN);
    }

    /** Rates are counted in windows of 10 ms, of which a burst takes the first that is full. */
    @ParameterizedTest
    @CsvSource({"581, true", "640, true", "560, false"})
    void shouldTakeALossThatABurstBeganWith(double lostAtMs, boolean isItsOwn) {
        Diagnosis diagnosis = burst().event(lostAtMs - 4, SOCKET_DEPTH_RISE)
                .loss(660)
                .event(lostAtMs, DATAGRAMS_DROPPED, "datagrams", 1L)
                .diagnose();
        assertThat(diagnosis.chain())
                .filteredOn(link -> link.type() == DATAGRAMS_DROPPED)
                .extracting(Link::atNs)
                .containsExactly(Incident.ns(isItsOwn ? lostAtMs : 660));
        assertThat(diagnosis.chain()).isNotEmpty().allMatch(Link::inOrder);
    }

    @Test
    void shouldNotNameABurstForWhatWasLostBeforeItOnly() {
        assertThat(burst().loss(100).diagnose().cause()).isEqualTo(Cause.UNEXPLAINED);
    }

    private static Incident burst() {
        return new Incident()
                .elsewhere(600, TRAFFIC_BURST, "exchange", "durationNs", 40 * MS)
                .elsewhere(600, TRAFFIC_BURST, "gateway-1", "durationNs", 40 * MS);
    }

    /** The thread had waited for a processor before, long enough for the socket to grow; it was deepest in the stall, or drained before it. */
    @ParameterizedTest
    @CsvSource({"70, 70", "2.9, 80"})
    void shouldTakeARiseThatWasDeepestInTheStall(double deepestMs, double atMs) {
        Diagnosis diagnosis = delayedBind()
                .event(-8, SOCKET_DEPTH_RISE, "grownNs", Incident.ns(-2), "inode", 7L)
                .event(170, SOCKET_DRAINED, "beganNs", Incident.ns(-8), "peakNs", Incident.ns(deepestMs), "inode", 7L)
                .event(170, SOCKET_DRAINED, "beganNs", Incident.ns(-8), "peakNs", Incident.ns(90), "inode", 8L)
                .loss(130)
                .diagnose();
        assertThat(riseNs(diagnosis)).isEqualTo(Incident.ns(atMs));
    }

    private static Incident delayedBind() {
        return new Incident()
                .event(4.9, RATE_LIMIT_HIT)
                .stall(5, 150, "majorFaults", 2L)
                .event(5, WAKE_FAILED)
                .event(5.1, YIELDED, "durationMs", 149.0)
                .event(5.1, SYMBOL_BOUND, "symbol", "sched_yield", "durationMs", 148.0, "delayed", true);
    }

    private static @Nullable Long riseNs(Diagnosis diagnosis) {
        return diagnosis.chain().stream()
                .filter(link -> link.type() == SOCKET_DEPTH_RISE)
                .findFirst()
                .map(Link::atNs)
                .orElse(null);
    }

    /** The kernel's record of a fault has its begin, whatever samples say. */
    private static Diagnosis bound(double atMs) {
        return sampled(atMs)
                .event(40, MAJOR_FAULT, "faults", 2L, "earliestNs", Incident.ns(38))
                .fault(5.3, 147, "libc.so.6 .gnu.hash", "ld-linux-x86-64.so.2 .text")
                .loss(80)
                .diagnose();
    }

    private static Incident sampled(double atMs) {
        return new Incident()
                .event(1, RATE_LIMIT_HIT)
                .stall(5, 150, "majorFaults", 2L)
                .event(3, WAKE_FAILED)
                .event(5.1, YIELDED, "durationMs", 149.0)
                .event(atMs, SYMBOL_BOUND, "symbol", "sched_yield", "durationMs", 148.0, "delayed", false);
    }
}
