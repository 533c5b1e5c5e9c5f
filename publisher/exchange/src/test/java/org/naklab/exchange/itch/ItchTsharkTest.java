package org.naklab.exchange.itch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.exchange.Flows;
import org.naklab.exchange.synthetic.Arrival;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.testing.host.Tshark;

/**
 * The same bytes read by {@link ItchFlow} and by tshark. Wireshark's nasdaq_itch dissector knows the text formats 2.0 and 3.0
 * of ITCH, not the binary 5.0: of a 5.0 message it decodes the type, which stands in the same place, and nothing after it. So
 * it and the MoldUDP64 dissector check framing and types; fields are checked by a dissector for 5.0 that is described to
 * tshark in Lua.
 */
@Timeout(180)
class ItchTsharkTest {
    private static final int INSTRUMENTS = 5;
    private static final int EVENTS = 3_000;
    private static final int MESSAGES_PER_PACKET = 16;

    @TempDir
    Path directory;

    private final ItchFromEvents itch = new ItchFromEvents();
    private final List<OrderEvent> events = new ArrayList<>();

    @BeforeEach
    void writeFile() throws IOException {
        // No time passes, so that a delete followed by an add can be written as a replace.
        SyntheticFlow.Config config = new SyntheticFlow.Config(2_016, INSTRUMENTS)
                .withEvents(EVENTS)
                .withRestingOrders(10)
                .withArrival(Arrival.constant(0));
        OrderEvent event = new OrderEvent();
        try (SyntheticFlow flow = new SyntheticFlow(config)) {
            while (flow.next(event)) {
                events.add(new OrderEvent().copyFrom(event));
            }
        }
        long timeNs = 34_200_000_000_000L;
        events.add(new OrderEvent().set(EventType.HALT, 2, timeNs, 0, Side.BUY, 0, 0));
        events.add(new OrderEvent().set(EventType.RESUME, 2, timeNs, 0, Side.BUY, 0, 0));
        itch.writeDirectory(INSTRUMENTS);
        itch.write(events);
        Files.write(directory.resolve("day.itch"), itch.toByteArray());
    }

    @Test
    void shouldReadBackWhatWasWritten() {
        List<String> written = events.stream().map(OrderEvent::toString).toList();

        assertThat(Flows.drain(ItchFlow.open(directory.resolve("day.itch")))).isEqualTo(written);
    }

    @Test
    void shouldAgreeWithTsharkOnFramesAndTypes() throws IOException {
        Tshark.assumePresent("TShark");
        List<String[]> packets = Tshark.fields(
                capture(MESSAGES_PER_PACKET),
                decodedBy("nasdaq_itch"),
                List.of("moldudp64.msgseq", "moldudp64.msglen", "nasdaq-itch.message_type"));

        List<String> sequences = new ArrayList<>();
        List<String> lengths = new ArrayList<>();
        List<String> types = new ArrayList<>();
        long sequence = 0;
        try (ItchFrames frames = ItchFrames.open(directory.resolve("day.itch"))) {
            while (frames.next()) {
                sequences.add(String.valueOf(++sequence));
                lengths.add(String.valueOf(frames.type().length()));
                types.add("'" + frames.type().code() + "'");
            }
        }
        assertThat(column(packets, 0)).isEqualTo(sequences);
        assertThat(column(packets, 1)).isEqualTo(lengths);
        assertThat(column(packets, 2)).isEqualTo(types);
    }

    @Test
    void shouldAgreeWithTsharkOnEveryField() throws IOException {
        Tshark.assumePresent("with Lua");
        Path script = directory.resolve("itch50.lua");
        try (InputStream in = ItchTsharkTest.class.getResourceAsStream("itch50.lua")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        List<String> options = new ArrayList<>(List.of("-X", "lua_script:" + script));
        options.addAll(decodedBy("itch50"));
        List<String[]> rows = Tshark.fields(
                capture(1),
                options,
                TsharkMessage.FIELDS.stream().map(name -> "itch50." + name).toList());

        assertThat(rows).hasSize(itch.ends().size());
        Iterator<OrderEvent> read = read().iterator();
        StringBuilder types = new StringBuilder();
        for (String[] row : rows) {
            TsharkMessage message = new TsharkMessage(List.of(row));
            types.append(types.indexOf(message.code()) < 0 ? message.code() : "");
            message.requireMatches(read);
        }
        assertThat(read).isExhausted();
        assertThat(types.toString().chars().sorted().toArray())
                .isEqualTo("ACDEFHPRUX".chars().toArray());
    }

    private List<OrderEvent> read() {
        List<OrderEvent> all = new ArrayList<>();
        OrderEvent event = new OrderEvent();
        try (ItchFlow flow = ItchFlow.open(directory.resolve("day.itch"))) {
            while (flow.next(event)) {
                all.add(new OrderEvent().copyFrom(event));
            }
        }
        return all;
    }

    private Path capture(int messagesPerPacket) throws IOException {
        MoldUdp64Capture capture = new MoldUdp64Capture();
        byte[] bytes = itch.toByteArray();
        int begin = 0;
        for (int first = 0; first < itch.ends().size(); first += messagesPerPacket) {
            int count = Math.min(messagesPerPacket, itch.ends().size() - first);
            int end = itch.ends().get(first + count - 1);
            capture.add(bytes, begin, end, count);
            begin = end;
        }
        return Files.write(directory.resolve("day.pcap"), capture.toByteArray());
    }

    private static List<String> decodedBy(String dissector) {
        return List.of(
                "-d", "udp.port==" + MoldUdp64Capture.PORT + ",moldudp64", "-d", "moldudp64.payload," + dissector);
    }

    private static List<String> column(List<String[]> packets, int column) {
        return packets.stream()
                .flatMap(fields -> Arrays.stream(fields[column].split(",", -1)))
                .toList();
    }
}
