package org.naklab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Firing;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.process.Json;

@Timeout(10)
final class StallCausesTest {
    private static final long BEGIN_NS = 1_000_000_000L;
    private static final long MS = 1_000_000;
    private static final ChildEvent STALL = event("STALL", BEGIN_NS, 150);
    private static final ChildEvent YIELD = event("YIELDED", BEGIN_NS + MS, 148);

    @Test
    void shouldNameTheDelayOfABindWithinTheYieldWithinTheStall() {
        assertThat(causeOf(STALL, YIELD, bind(BEGIN_NS + 2 * MS, 147, true))).isEqualTo(StallCauses.LATE_BINDING_DELAY);
    }

    @Test
    void shouldNotBlameABindOfAnotherTime() {
        assertThat(causeOf(STALL, YIELD, bind(BEGIN_NS - 9 * MS, 147, true))).isEqualTo(StallCauses.YIELD);
        assertThat(causeOf(STALL, YIELD, bind(BEGIN_NS + 151 * MS, 147, true))).isEqualTo(StallCauses.YIELD);
    }

    @Test
    void shouldNotBlameABindThatTookNoTime() {
        assertThat(causeOf(STALL, YIELD, bind(BEGIN_NS + 2 * MS, 0.01, false))).isEqualTo(StallCauses.YIELD);
    }

    @Test
    void shouldNameMajorFaultsOnlyWhereThereWereAny() {
        ChildEvent faulting = with(YIELD, "majorFaults", 2);
        assertThat(causeOf(STALL, faulting, bind(BEGIN_NS + 2 * MS, 147, false)))
                .isEqualTo(StallCauses.LATE_BINDING_MAJOR_FAULT);
        assertThat(causeOf(STALL, faulting)).isEqualTo(StallCauses.YIELD);
    }

    @Test
    void shouldNotBlameAYieldThatWasShort() {
        assertThat(causeOf(STALL, event("YIELDED", BEGIN_NS + MS, 1))).isEqualTo(StallCauses.UNKNOWN);
    }

    @Test
    void shouldNameASimulatedStallAsSuch() {
        Firing parked = new Firing(BEGIN_NS + 2 * MS, BEGIN_NS + 149 * MS, "mds-context");
        FaultReport parking = new FaultReport(true, new FaultProof(true, "parked", Map.of(), List.of(parked)));
        assertThat(StallCauses.of(STALL, List.of(STALL, YIELD), Map.of("stall", parking)))
                .isEqualTo(StallCauses.SIMULATED);
    }

    @Test
    void shouldNameWhatElseTheThreadWaitedFor() {
        assertThat(causeOf(with(STALL, "processorWaitMs", 80))).isEqualTo(StallCauses.NO_PROCESSOR);
        assertThat(causeOf(with(STALL, "processorPressureMs", 80))).isEqualTo(StallCauses.NO_PROCESSOR);
        assertThat(causeOf(with(STALL, "collectionMs", 80))).isEqualTo(StallCauses.GARBAGE_COLLECTION);
        assertThat(causeOf(with(STALL, "majorFaults", 1))).isEqualTo(StallCauses.MAJOR_FAULT);
        assertThat(causeOf(with(STALL, "processorWaitMs", 70))).isEqualTo(StallCauses.UNKNOWN);
        assertThat(causeOf(with(STALL, "majorFaults", -1))).isEqualTo(StallCauses.UNKNOWN);
    }

    private static String causeOf(ChildEvent stall, ChildEvent... others) {
        return StallCauses.of(stall, List.of(others), Map.of());
    }

    private static ChildEvent bind(long atNs, double durationMs, boolean delayed) {
        ChildEvent bind = event("SYMBOL_BOUND", atNs, durationMs);
        ObjectNode details = bind.details().deepCopy();
        return new ChildEvent(bind.process(), bind.event(), atNs, details.put("delayed", delayed));
    }

    private static ChildEvent event(String type, long atNs, double durationMs) {
        return new ChildEvent("mds", type, atNs, Json.object().put("durationMs", durationMs));
    }

    private static ChildEvent with(ChildEvent event, String figure, long value) {
        ObjectNode details = event.details().deepCopy();
        return new ChildEvent(event.process(), event.event(), event.atNs(), details.put(figure, value));
    }
}
