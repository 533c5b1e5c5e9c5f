package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.Await;
import org.naklab.testing.StopReading;
import org.naklab.testing.host.FreePorts;
import org.naklab.testing.host.Installed;

/** The instruments on a program of another language, which joins a group, reads for a while and then stops. */
@Timeout(120)
class WatchTest {
    private static final String GROUP = "239.192.25.7";
    private static final int PORT = FreePorts.pair();

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final TestSockets sockets = new TestSockets();
    private StopReading receiver;

    @BeforeEach
    void startReceiver() throws Exception {
        Installed.assume("cc");
        receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT);
        assertThat(receiver.isReady()).isTrue();
    }

    @AfterEach
    void stopReceiver() throws IOException {
        receiver.close();
        sockets.close();
    }

    @Test
    void shouldSayOfThePortThatAllWasLookedAtSinceItBegan() {
        long beganNs;
        List<TimelineEvent> meanwhile;
        try (Watch watch = Watch.attach("receiver", receiver.pid(), events, List.of(), errors::add)) {
            beganNs = watch.beganNs();
            meanwhile = watch.observedUntil(System.nanoTime());
        }

        List<TimelineEvent> atTheEnd = events.of(TimelineEventType.PLACE_OBSERVED);
        assertThat(atTheEnd).allMatch(event -> event.timeNs() <= beganNs);
        assertThat(Stream.of(atTheEnd, meanwhile).map(each -> each.stream()
                        .filter(event ->
                                event.type() == TimelineEventType.PLACE_OBSERVED && event.longDetail("port", 0) == PORT)
                        .map(event -> event.textDetail("place"))
                        .toList()))
                .allMatch(places -> places.containsAll(List.of("group membership", "other sockets of the port")));
        assertThat(events.of(TimelineEventType.UDP_COUNTED)).allMatch(event -> event.timeNs() <= beganNs);
        assertThat(events.of(TimelineEventType.KERNEL_RECORDED))
                .singleElement()
                .matches(event -> event.timeNs() <= beganNs)
                .matches(event -> event.longDetail("port", 0) == PORT)
                .matches(event -> event.textDetail("group").equals(GROUP));
    }

    @Test
    void shouldReportTheSocketOfAProgramThatStopsReading() throws IOException {
        DatagramChannel sender = sockets.multicastSender();
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        try (Watch watch = Watch.attach("receiver", receiver.pid(), events, List.of(recorder), errors::add)) {
            for (int i = 0; i < 10; i++) {
                TestSockets.send(sender, new InetSocketAddress(GROUP, PORT), 10);
                receiver.echo();
            }
            receiver.stopReading();
            // From the answer on it reads nothing; until then, its socket was never deep, so that the first rise is
            // that of the stop.
            receiver.echo();
            Await.until("drops", () -> {
                sendQuietly(sender, 100);
                return !events.of(TimelineEventType.DATAGRAMS_DROPPED).isEmpty();
            });
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
        assertThat(recorder.state()).isEqualTo(IncidentRecorder.State.WRITTEN);
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
            assertThat(watch.describe()).isNotEmpty();
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoSuchProcess() {
        assertThatThrownBy(() -> Watch.attach("x", Integer.MAX_VALUE, events, List.of(), errors::add))
                .isInstanceOf(InputException.class)
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
