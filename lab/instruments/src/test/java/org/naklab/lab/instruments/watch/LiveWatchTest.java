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
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.Await;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.StopReading;
import org.naklab.testing.host.FreePorts;
import org.naklab.testing.host.Installed;

/** The instruments on a program of another language, which joins a group, reads for a while and then stops. */
@Matrix
@Timeout(120)
class LiveWatchTest {
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
    void shouldRecordTheWindowOfAProgramThatStopsReading() throws IOException {
        Path hunt = directory.resolve("hunt");
        DatagramChannel sender = sockets.multicastSender();
        try (Watch watch = Watch.attachRecording("receiver", receiver.pid(), hunt, events, errors::add)) {
            assertThat(watch.missing())
                    .contains("no safepoints and collections: process " + receiver.pid() + " is no JVM");
            receiver.stopReading();
            Await.until("trip", () -> {
                sendQuietly(sender, 100);
                return recorder(watch).state() != IncidentRecorder.State.WATCHING;
            });
            Await.until("window", () -> recorder(watch).state() == IncidentRecorder.State.WRITTEN);
            assertThat(recorder(watch).missing()).isEmpty();
            assertThat(watch.missing()).hasSizeLessThanOrEqualTo(3);
        }

        assertThat(errors).isEmpty();
        assertThat(TimelineReader.read(hunt.resolve("window-timeline.jsonl")))
                .extracting(TimelineEvent::type)
                .contains(TimelineEventType.SOCKET_DEPTH_RISE);
        assertThat(names(hunt))
                .contains("window-samples.csv.gz", "window-timeline.jsonl")
                .allMatch(name -> name.startsWith("window-"));
        assertThatThrownBy(() -> Watch.attachRecording("receiver", receiver.pid(), hunt, events, errors::add))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("holds a window already");
    }

    @Test
    void shouldRecordNothingOfAProgramThatReads() throws IOException {
        Path hunt = LiveRun.make("a watch of a program that reads", this::huntOfAProgramThatReads);
        assertThat(names(hunt)).isEmpty();
    }

    private Path huntOfAProgramThatReads() throws IOException {
        Path hunt = Files.createTempDirectory(directory, "hunt").resolve("window");
        DatagramChannel sender = sockets.multicastSender();
        try (Watch watch = Watch.attachRecording("receiver", receiver.pid(), hunt, events, errors::add)) {
            for (int i = 0; i < 200; i++) {
                sendQuietly(sender, 1);
                receiver.echo();
            }
            Await.until("sampled", () -> watch.statistics().ticks() > 0);
        }
        assertThat(errors).isEmpty();
        return hunt;
    }

    private static IncidentRecorder recorder(Watch watch) {
        return watch.recorder().orElseThrow();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private void sendQuietly(DatagramChannel sender, int datagrams) {
        try {
            TestSockets.send(sender, new InetSocketAddress(GROUP, PORT), datagrams);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
