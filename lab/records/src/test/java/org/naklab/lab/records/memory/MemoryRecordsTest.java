package org.naklab.lab.records.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

@Timeout(60)
final class MemoryRecordsTest {
    @Test
    void shouldTellWhichPageWasWaitedForAndWhoNeededIt() {
        assertThat(fault(147.25, true, "libc.so.6 .gnu.hash", "0x7f12", "_dl_fixup", "_dl_runtime_resolve")
                        .sentence())
                .isEqualTo("147.3 ms at 0x7f12 (libc.so.6 .gnu.hash), major, in _dl_fixup");
        assertThat(fault(1, false, "", null).sentence()).isEqualTo("1.0 ms (unknown page)");
    }

    @Test
    void shouldEndWhenThePageWasThere() {
        assertThat(fault(58.65311, true, "", null).endNs()).isEqualTo(1_000 + 58_653_110);
        assertThat(fault(0.0000005, true, "", null).endNs()).as("rounded").isEqualTo(1_001);
    }

    @Test
    void shouldLeaveOutWhatWasNotRecorded() {
        PageFaultRecord fault = fault(2, true, "anonymous memory", null);

        assertThat(Json.line(fault))
                .isEqualTo("{\"atNs\":1000,\"durationMs\":2.0,\"process\":\"mds\",\"thread\":\"mds-context\","
                        + "\"major\":true,\"place\":\"anonymous memory\",\"stack\":[]}");
        assertThat(Json.fromLine(Json.line(fault), PageFaultRecord.class)).isEqualTo(fault);
    }

    @Test
    void shouldCountTheSecondsFromTheEvictionToEachStall() {
        long beganNs = 8_832_642_683_547L;
        EvictionRecord record = new EvictionRecord(
                beganNs,
                List.of(
                        EvictionRecord.Since.of("mds", "mds-context", beganNs + 1_110_811_844L, beganNs),
                        EvictionRecord.Since.of("mds", "mds-context", beganNs - 500_000_000L, beganNs)));

        assertThat(record.stalls())
                .extracting(EvictionRecord.Since::secondsSinceEviction)
                .containsExactly(1.110811844, -0.5);
        assertThat(Json.fromLine(Json.line(record), EvictionRecord.class)).isEqualTo(record);
        assertThat(Json.line(record)).startsWith("{\"evictionBeganNs\":8832642683547,\"stalls\":[{\"process\":\"mds\"");
    }

    private static PageFaultRecord fault(
            double durationMs, boolean isMajor, String place, @Nullable String address, String... stack) {
        return new PageFaultRecord(
                1_000, durationMs, "mds", "mds-context", isMajor, place, address, null, null, List.of(stack));
    }
}
