package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Headroom.Basis;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.scenarios.SocketReading;
import org.naklab.lab.terminal.Terminal;

final class HeadroomPrinterTest {
    private static final Headroom MEASURED = new Headroom(Basis.MEASURED, 4_175_000, 40, 74.9, 150.7, 74.9, 74.5, 0);
    private static final Headroom AMPLE = new Headroom(Basis.MEASURED, 1_000_000, 40, 312.0, 0, -1, -1, 0);
    private static final Headroom BURST = new Headroom(Basis.ESTIMATED, 9_000_000, 1, 34.0, 0, -1, -1, 0);

    /** A burst of a millisecond must not hide what was measured. */
    @Test
    void shouldPrintTheSocketWithTheLeastMeasuredHeadroomOfEachProcess() {
        assertThat(printed(List.of(
                        socket("mds", AMPLE),
                        socket("mds", MEASURED),
                        socket("mds", BURST),
                        socket("gateway-1", BURST),
                        socket("exchange", Headroom.NONE))))
                .containsExactly(
                        "", "mds        headroom: " + MEASURED.sentence(), "gateway-1  headroom: " + BURST.sentence());
        assertThat(MEASURED.sentence())
                .isEqualTo(
                        "at 4.18 MB/s of buffer memory (measured over 40.0 ms) the buffer survives 74.9 ms; "
                                + "nothing was read from it for 150.7 ms at most; it overflowed after 74.9 ms, predicted 74.5 ms");
    }

    @Test
    void shouldPrintNothingWithoutAKnownHeadroom() {
        assertThat(printed(List.of(socket("mds", Headroom.NONE)))).isEmpty();
    }

    /** The keys are a contract, see docs/architecture.md. */
    @Test
    void shouldStandInTheRecordAndBeReadFromItAgain() throws Exception {
        RunRecord.Socket socket = new RunRecord.Socket("mds", "0.0.0.0", 60_048, 312_832, 205, MEASURED);
        JsonNode json = Json.parse(Json.line(socket));
        assertThat(json.path("headroom").toString())
                .isEqualTo("{\"basis\":\"measured\",\"arrivalBytesPerSecond\":4175000,\"rateWindowMs\":40.0,"
                        + "\"headroomMs\":74.9,\"longestStallMs\":150.7,\"overflowAfterMs\":74.9,"
                        + "\"overflowPredictedMs\":74.5,\"seenAgoMs\":0.0}");
        assertThat(Json.value(json, RunRecord.Socket.class)).isEqualTo(socket);
    }

    private static SocketReading socket(String process, Headroom headroom) {
        return new SocketReading(process, "239.192.16.1", 60_048, 1_000, new SocketDrops(0, 0), headroom);
    }

    private static List<String> printed(List<SocketReading> sockets) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        new HeadroomPrinter(Terminal.of(out, out), out).print(sockets);
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
