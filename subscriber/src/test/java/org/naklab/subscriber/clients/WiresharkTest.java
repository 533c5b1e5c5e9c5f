package org.naklab.subscriber.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.testing.host.PacketCapture;
import org.naklab.testing.host.Tshark;

/** What a client is sent, read by Wireshark's dissectors; the books are made of the messages that they found. */
@Timeout(180)
class WiresharkTest {
    private static final int EVENTS = 2_000;
    private static final int SERVER = 26_400;
    private static final int CLIENT = 26_401;
    private static final int SEGMENT_BYTES = 1_400;
    private static final int ANSWER_BYTES = 33;

    @TempDir
    Path directory;

    private final PacketCapture capture = new PacketCapture();
    private final ReadBooks read = new ReadBooks();

    @BeforeEach
    void requireTshark() {
        Tshark.assumePresent("TShark");
    }

    @Test
    void shouldSendWhatTheDissectorOfSoupBinTcpKnows() throws IOException {
        try (ServedFeed feed = new ServedFeed();
                Socket socket = new Socket()) {
            socket.connect(feed.server.addresses().orders());
            byte[] login = ByteBufUtil.getBytes(SoupPacket.login(ByteBufAllocator.DEFAULT, "SHARK", "TESTDAY", 1));
            socket.getOutputStream().write(login);
            feed.publish(EVENTS);
            feed.lose(1);
            feed.end();
            capture.addTcp(CLIENT, SERVER, login);
            record(socket.getInputStream());

            List<String[]> rows = fields(
                    "-d",
                    "tcp.port==" + SERVER + ",soupbintcp",
                    "soupbintcp.packet_type",
                    "soupbintcp.session",
                    "soupbintcp.message");
            List<String> types = column(rows, 0);
            List<String> messages = column(rows, 2);
            assertThat(types).startsWith("'L'", "'A'", "'S'").endsWith("'S'", "'Z'");
            assertThat(types.stream().filter("'S'"::equals)).hasSameSizeAs(messages);
            assertThat(column(rows, 1)).containsExactly("TESTDAY", "TESTDAY");
            requireBooks(messages, feed);
        }
    }

    @Test
    void shouldSendWhatTheDissectorOfMoldUdp64Knows() throws IOException {
        try (DatagramChannel downstream =
                        DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ServedFeed feed = new ServedFeed(4 << 20, (InetSocketAddress) downstream.getLocalAddress())) {
            feed.publish(EVENTS);
            feed.lose(1);
            feed.end();
            boolean isOver = false;
            while (!isOver) {
                ByteBuffer datagram = ByteBuffer.allocate(2_000);
                downstream.receive(datagram);
                isOver = datagram.getShort(18) == -1;
                capture.addUdp(SERVER, Arrays.copyOf(datagram.array(), datagram.position()));
            }

            List<String[]> rows = fields(
                    "-d",
                    "udp.port==" + SERVER + ",moldudp64",
                    "moldudp64.session",
                    "moldudp64.msgseq",
                    "moldudp64.msgdata",
                    "moldudp64.count");
            List<String> messages = column(rows, 2);
            assertThat(column(rows, 0)).containsOnly("TESTDAY");
            assertThat(column(rows, 1)).isEqualTo(oneTo(messages.size()));
            assertThat(column(rows, 3)).endsWith("65535");
            requireBooks(messages, feed);
        }
    }

    private void requireBooks(List<String> messages, ServedFeed feed) {
        ItchReader reader = new ItchReader();
        for (String message : messages) {
            byte[] bytes = HexFormat.of().parseHex(message.replace(":", ""));
            reader.read(new UnsafeBuffer(bytes), 0, bytes.length, read);
        }
        assertThat(read.events).hasValue(EVENTS);
        assertThat(read.digest()).isEqualTo(feed.digest());
        assertThat(read.states.values()).isNotEmpty().containsOnly("SUSPECT since " + (EVENTS + 1));
    }

    /**
     * Cuts the stream as a network does, not between packets; but the answer to the log-in is a segment of its own, because the dissector
     * begins a conversation there.
     */
    private void record(InputStream stream) throws IOException {
        byte[] segment = stream.readNBytes(ANSWER_BYTES);
        while (segment.length > 0) {
            capture.addTcp(SERVER, CLIENT, segment);
            segment = stream.readNBytes(SEGMENT_BYTES);
        }
    }

    private List<String[]> fields(String option, String value, String... names) throws IOException {
        Path file = Files.write(directory.resolve("clients.pcap"), capture.toByteArray());
        List<String> all = new ArrayList<>(List.of(names));
        all.add("_ws.malformed");
        List<String[]> rows = Tshark.fields(file, List.of(option, value), all);
        assertThat(column(rows, names.length)).as("malformed").isEmpty();
        return rows;
    }

    private static List<String> column(List<String[]> rows, int column) {
        return rows.stream()
                .flatMap(fields -> Arrays.stream(fields[column].split(",", -1)))
                .map(String::strip)
                .filter(field -> !field.isEmpty())
                .toList();
    }

    private static List<String> oneTo(int last) {
        return LongStream.rangeClosed(1, last).mapToObj(String::valueOf).toList();
    }
}
