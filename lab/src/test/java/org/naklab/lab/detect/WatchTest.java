package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The instruments on a program of another language, which joins a group, reads for a while and then stops. */
@Timeout(120)
class WatchTest {
    private static final String GROUP = "239.192.25.7";
    private static final int PORT = 25_070;

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final TestSockets sockets = new TestSockets();
    private StopReading receiver;

    @BeforeEach
    void startReceiver() throws Exception {
        receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT);
        assertThat(receiver.isReady()).isTrue();
    }

    @AfterEach
    void stopReceiver() throws IOException {
        receiver.close();
        sockets.close();
    }

    @Test
    void shouldReportTheSocketOfAProgramThatStopsReading() throws IOException {
        DatagramChannel sender = sockets.multicastSender();
        FlightRecorder recorder = new FlightRecorder(directory, FlightRecorder.DEFAULT_TRIPS, List.of());
        try (Watch watch = Watch.attach("receiver", receiver.pid(), events, List.of(recorder), errors::add)) {
            for (int i = 0; i < 100; i++) {
                TestSockets.send(sender, new InetSocketAddress(GROUP, PORT), 1);
            }
            receiver.stopReading();
            Await.until("drops", () -> {
                sendQuietly(sender, 100);
                return !events.of(TimelineEventType.DATAGRAMS_DROPPED).isEmpty();
            });
            assertThat(watch.isProcessAlive()).isTrue();
            assertThat(watch.describe()).anyMatch(line -> line.contains("pidfd_getfd"));
            assertThat(watch.sockets()).anySatisfy(socket -> {
                assertThat(socket.identity().localPort()).isEqualTo(PORT);
                assertThat(socket.drops()).isPositive();
            });
        }

        TimelineEvent rise = events.of(TimelineEventType.SOCKET_DEPTH_RISE).get(0);
        TimelineEvent dropped = events.of(TimelineEventType.DATAGRAMS_DROPPED).get(0);
        assertThat(rise.longDetail("port", 0)).isEqualTo(PORT);
        assertThat(dropped.longDetail("port", 0)).isEqualTo(PORT);
        assertThat(dropped.detail("groups")).isEqualTo(GROUP);
        assertThat(dropped.longDetail("inode", 0))
                .isEqualTo(rise.longDetail("inode", 1))
                .isPositive();
        assertThat(rise.timeNs()).isLessThanOrEqualTo(dropped.timeNs());
        assertThat(errors).isEmpty();
        assertThat(recorder.state()).isEqualTo(FlightRecorder.State.WRITTEN);
        assertThat(TimelineReader.read(directory.resolve("window-timeline.jsonl")))
                .extracting(TimelineEvent::type)
                .contains(TimelineEventType.SOCKET_DEPTH_RISE, TimelineEventType.DATAGRAMS_DROPPED);
        assertThat(Files.size(directory.resolve("window-samples.csv.gz"))).isPositive();
    }

    @Test
    void shouldReportNothingOfASocketThatIsRead() throws IOException {
        DatagramChannel sender = sockets.multicastSender();
        try (Watch watch = Watch.attach("receiver", receiver.pid(), events, List.of(), errors::add)) {
            for (int i = 0; i < 200; i++) {
                sendQuietly(sender, 1);
                receiver.echo();
            }
            Await.until("sampled", () -> watch.statistics().ticks() > 0);
        }

        assertThat(events.types())
                .contains(TimelineEventType.SOCKET_OPENED)
                .doesNotContain(TimelineEventType.SOCKET_DEPTH_RISE, TimelineEventType.DATAGRAMS_DROPPED);
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldReportTheEndOfTheProcess() {
        try (Watch watch = Watch.attach("receiver", receiver.pid(), events, List.of(), errors::add)) {
            receiver.close();
            Await.until("end", () -> !events.of(TimelineEventType.PROCESS_ENDED).isEmpty());
            Await.until("socket closed", () -> !events.of(TimelineEventType.SOCKET_CLOSED)
                    .isEmpty());
            assertThat(watch.isProcessAlive()).isFalse();
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoSuchProcess() {
        assertThatThrownBy(() -> Watch.attach("x", Integer.MAX_VALUE, events, List.of(), errors::add))
                .isInstanceOf(DetectException.class)
                .hasMessage("no process 2147483647");
    }

    private void sendQuietly(DatagramChannel sender, int datagrams) {
        try {
            TestSockets.send(sender, new InetSocketAddress(GROUP, PORT), datagrams);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
