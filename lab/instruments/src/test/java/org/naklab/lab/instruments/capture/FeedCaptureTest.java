package org.naklab.lab.instruments.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.RateInstrument;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.Await;
import org.naklab.testing.host.CapturedDatagrams;

@Timeout(120)
class FeedCaptureTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int BINS = 40;
    private static final long BIN_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** No datagram is so close to the edge of a bin that the distance of the two clocks matters. */
    private static final long MARGIN_NS = TimeUnit.MILLISECONDS.toNanos(3);

    @TempDir
    private Path directory;

    @Test
    void shouldHaveTheBinsThatTheLabRecords() throws IOException {
        assumeThat(FeedCapture.obstacle(LOOPBACK)).isEmpty();
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = sockets.bound(StandardProtocolFamily.INET, LOOPBACK);
            DatagramChannel sender = sockets.bound(StandardProtocolFamily.INET, LOOPBACK);
            FeedCapture capture = FeedCapture.start(LOOPBACK, portOf(receiver), directory);
            List<RecordedBin> recorded = receiveInBins(sender, receiver);
            capture.close();

            assertThat(capture.describe())
                    .matches("capture of the datagrams for ports (\\d+) to \\1 on lo, up to 256 MiB and 600 s:"
                            + " 106 captured, 0 missed");
            RecordedBin.assertSame(recorded, CapturedDatagrams.read(directory.resolve(FeedCapture.NAME)));
            assertThat(directory.resolve("capture.log")).doesNotExist();
        }
    }

    /** Sends datagrams from bin to bin and receives them, while the lab's instrument counts. */
    private static List<RecordedBin> receiveInBins(DatagramChannel sender, DatagramChannel receiver)
            throws IOException {
        AtomicLong received = new AtomicLong();
        RateInstrument rate = new RateInstrument("here", "receivedBytes", received::get, Long.MAX_VALUE, event -> {});
        List<RecordedBin> bins = new ArrayList<>();
        long epochOffsetNs = MonotonicConverter.ofSystem().epochOffsetNs();
        long edgeNs = System.nanoTime();
        rate.sample(edgeNs, (series, timeNs, value) -> {});
        ByteBuffer payload = ByteBuffer.allocate(64);
        for (int i = 0; i < BINS; i++) {
            await(edgeNs + MARGIN_NS);
            for (int sent = 0; sent < RecordedBin.datagrams(i); sent++) {
                sender.send(payload.clear().limit(16 + i), receiver.getLocalAddress());
                receiver.receive(payload.clear());
                received.addAndGet(payload.position());
            }
            await(Math.max(edgeNs + BIN_NS, System.nanoTime() + MARGIN_NS));
            long beganNs = edgeNs;
            edgeNs = System.nanoTime();
            rate.sample(
                    edgeNs,
                    (series, timeNs, value) ->
                            bins.add(new RecordedBin(beganNs + epochOffsetNs, timeNs + epochOffsetNs, value)));
        }
        return bins;
    }

    private static void await(long timeNs) {
        Await.until("the next part of the bin", () -> System.nanoTime() - timeNs >= 0);
    }

    @Test
    void shouldEndAtItsBoundAndSaySo() throws IOException {
        assumeThat(FeedCapture.obstacle(LOOPBACK)).isEmpty();
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = sockets.bound(StandardProtocolFamily.INET, LOOPBACK);
            DatagramChannel sender = sockets.bound(StandardProtocolFamily.INET, LOOPBACK);
            FeedCapture capture = FeedCapture.start(
                    LOOPBACK, portOf(receiver), directory, new FeedCapture.Bounds(4_000, FeedCapture.MAX_S));
            Await.until("the bound", () -> {
                TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 10);
                return !capture.isGoingOn();
            });
            capture.close();

            assertThat(capture.describe()).endsWith("it ended at its bound, and does not have what came later");
            assertThat(CapturedDatagrams.read(directory.resolve(FeedCapture.NAME)))
                    .isNotEmpty()
                    .allSatisfy(
                            datagram -> assertThat(datagram.kept().capacity()).isEqualTo(100));
        }
    }

    @Test
    void shouldKeepNoMoreOfADatagramThanItsHead() throws IOException {
        assumeThat(FeedCapture.obstacle(LOOPBACK)).isEmpty();
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel receiver = sockets.bound(StandardProtocolFamily.INET, LOOPBACK);
            DatagramChannel sender = sockets.bound(StandardProtocolFamily.INET, LOOPBACK);
            FeedCapture capture = FeedCapture.start(LOOPBACK, portOf(receiver), directory);
            sender.send(ByteBuffer.allocate(1_000), receiver.getLocalAddress());
            receiver.receive(ByteBuffer.allocate(1_000));
            capture.close();

            assertThat(CapturedDatagrams.read(directory.resolve(FeedCapture.NAME)))
                    .singleElement()
                    .satisfies(datagram -> {
                        assertThat(datagram.bytes()).isEqualTo(1_000);
                        assertThat(datagram.kept().capacity()).isEqualTo(FeedCapture.KEPT_BYTES - 42);
                    });
        }
    }

    /** What dumpcap 4.0 says, word for word. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            dumpcap: The capabilities of the capture device "lo" could not be obtained (pcap_activate() failed: socket: Operation not permitted). | pcap_activate() failed: socket: Operation not permitted
            dumpcap: The capabilities of the capture device "lo" could not be obtained (pcap_activate() failed: No such device exists).           | pcap_activate() failed: No such device exists
            something new | dumpcap: cap_set_proc() fail return: Operation not permitted
            """)
    void shouldSayInOneLineWhyItMayNotCapture(String line, String reason) throws IOException {
        Path program = Files.writeString(
                directory.resolve("dumpcap"),
                "#!/bin/sh\necho 'dumpcap: cap_set_proc() fail return: Operation not permitted' >&2\necho '" + line
                        + "' >&2\nexit 2\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

        assertThat(FeedCapture.obstacle(program.toString(), LOOPBACK))
                .hasValue("dumpcap may not capture on lo: " + reason
                        + "; run as root, or as a user whom dumpcap is set up for");
    }

    @Test
    void shouldSayThatThereIsNoDumpcapOrNoSuchInterface() {
        assertThat(FeedCapture.obstacle(directory.resolve("none").toString(), LOOPBACK))
                .hasValue("dumpcap cannot be started: No such file or directory; it is a part of Wireshark"
                        + " (apt-get install wireshark-common)");
        assertThat(FeedCapture.obstacle("192.0.2.77/24"))
                .hasValue("no capture: no interface of this machine has the address 192.0.2.77/24");
        assertThatThrownBy(() -> FeedCapture.start("192.0.2.77", new FeedCapture.Ports(40_000, 40_001), directory))
                .isInstanceOf(DetectException.class);
    }

    private static FeedCapture.Ports portOf(DatagramChannel receiver) throws IOException {
        int port = TestSockets.port(receiver);
        return new FeedCapture.Ports(port, port);
    }
}
