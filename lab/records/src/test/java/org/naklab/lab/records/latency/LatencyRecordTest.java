package org.naklab.lab.records.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LatencyRecordTest {
    private static final LatencyRecord.Hop HOP = new LatencyRecord.Hop(1, 2, 3, 4, 5);
    private static final LatencyRecord RECORD = new LatencyRecord(
            HOP,
            HOP,
            HOP,
            HOP,
            HOP,
            HOP,
            new LatencyRecord.Hop(30_000, 618.4, 333_709.3, 374_603.8, 380_370.9),
            HOP,
            new LatencyRecord.Late(4_241, 3_132, 2),
            0);

    @Test
    void shouldTellHowLateTheEventsWereInOneLine() {
        assertThat(RECORD.sentence()).isEqualTo("10.4 % over 10 ms, p50 0.618 ms, p99.9 375 ms, max 380 ms");
    }

    @Test
    void shouldTellThatEventsWereLeftOut() {
        LatencyRecord partial = new LatencyRecord(HOP, HOP, HOP, HOP, HOP, HOP, HOP, HOP, RECORD.late(), 1_200);
        assertThat(partial.sentence()).endsWith("; 1,200 left out: their due times cannot be right");
    }

    @Test
    void shouldWriteMillisecondsWithThreeDigits() {
        assertThat(LatencyRecord.milliseconds(0)).isEqualTo("0.000");
        assertThat(LatencyRecord.milliseconds(999.6)).isEqualTo("1.00");
        assertThat(LatencyRecord.milliseconds(9_994)).isEqualTo("9.99");
        assertThat(LatencyRecord.milliseconds(9_996)).isEqualTo("10.0");
        assertThat(LatencyRecord.milliseconds(99_960)).isEqualTo("100");
    }

    @Test
    void shouldNotWriteAFewForNone() {
        assertThat(LatencyRecord.percent(RECORD.share(0))).isEqualTo("0 %");
        assertThat(LatencyRecord.percent(RECORD.share(2))).isEqualTo("< 0.1 %");
        assertThat(LatencyRecord.percent(RECORD.share(30_000))).isEqualTo("100.0 %");
    }

    @Test
    void shouldKeepItsKeys() {
        String json = Json.line(RECORD);
        assertThat(Json.fromLine(json, LatencyRecord.class)).isEqualTo(RECORD);
        assertThat(json)
                .contains(
                        "\"dueToSent\":{\"count\":1,\"p50Us\":2.0,\"p99Us\":3.0,\"p999Us\":4.0,\"maxUs\":5.0}",
                        "\"sentToReceived\":{",
                        "\"receivedToJournaled\":{",
                        "\"receivedToBook\":{",
                        "\"dueToJournaled\":{",
                        "\"repair\":{",
                        "\"late\":{\"over1Ms\":4241,\"over10Ms\":3132,\"over100Ms\":2}")
                .doesNotContain("sentence");
    }

    @Test
    void shouldReadARecordThatLacksHops() {
        LatencyRecord sparse = Json.fromLine("{}", LatencyRecord.class);
        assertThat(sparse.repair().count()).isZero();
        assertThat(sparse.share(0)).isZero();
        assertThat(sparse.late().over1Ms()).isZero();
    }
}
