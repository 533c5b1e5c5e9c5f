package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.aeron.AeronUnit;
import org.naklab.lab.instruments.aeron.PollingClient;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.threads.StandstillClaims;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** A driver whose receiver can be held, in this process, a client in another, and a publisher with a driver of its own. */
@Matrix
@Timeout(120)
class WatchUnitTest {
    private static final int STREAM_ID = 17;
    private static final int STOP_MS = 300;
    private static final int HELD_BYTES = 16 * 1024;

    @TempDir
    Path parent;

    private final EventLog ofDriver = new EventLog();
    private final EventLog ofClient = new EventLog();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final StandstillClaims claims = new StandstillClaims();
    private final String channel = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.pair() + "|term-length=64k";
    private final HeldReceiver receiver = new HeldReceiver();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
    private MediaDriver driver;
    private MediaDriver sendersDriver;
    private Aeron aeron;
    private ExclusivePublication publication;

    /** Keeps the thread that receives a frame, as long as it is held. */
    private static final class HeldReceiver implements LossGenerator {
        private volatile CountDownLatch release = new CountDownLatch(0);

        void hold() {
            release = new CountDownLatch(1);
        }

        void release() {
            release.countDown();
        }

        @Override
        public boolean shouldDropFrame(InetSocketAddress address, UnsafeBuffer buffer, int length) {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        }

        @Override
        public boolean shouldDropFrame(
                InetSocketAddress address,
                UnsafeBuffer buffer,
                int streamId,
                int sessionId,
                int termId,
                int termOffset,
                int length) {
            return shouldDropFrame(address, buffer, length);
        }
    }

    @BeforeEach
    void launch() {
        driver = MediaDriver.launch(context("aeron")
                .receiveChannelEndpointSupplier((udp, dispatcher, status, context) ->
                        new DebugReceiveChannelEndpoint(udp, dispatcher, status, context, receiver, receiver)));
        sendersDriver = MediaDriver.launch(context("sender"));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(sendersDriver.aeronDirectoryName()));
        publication = aeron.addExclusivePublication(channel, STREAM_ID);
    }

    private MediaDriver.Context context(String name) {
        return new MediaDriver.Context()
                .aeronDirectoryName(parent.resolve(name).toString())
                .threadingMode(ThreadingMode.DEDICATED)
                .termBufferSparseFile(true);
    }

    @AfterEach
    void close() {
        receiver.release();
        aeron.close();
        sendersDriver.close();
        driver.close();
    }

    @Test
    void shouldNameTheClientThatDoesNotPoll() throws Exception {
        try (PollingClient client = PollingClient.start(parent.resolve("aeron"), channel, STREAM_ID);
                AeronUnit unit = AeronUnit.of(parent.resolve("aeron"));
                Watch watchOfDriver = watch(unit, ProcessHandle.current().pid(), ofDriver);
                Watch watchOfClient = watch(unit, client.pid(), ofClient)) {
            awaitPolled(unit, watchOfClient);
            Await.until("a thread that stalled twice", () -> {
                stopPolling(client);
                publication.offer(message);
                return stallOfThreadNamedTwice(ofClient).isPresent();
            });

            TimelineEvent stall = stallOfThreadNamedTwice(ofClient).orElseThrow();
            assertThat(stall.process()).isEqualTo(String.valueOf(client.pid()));
            assertThat(stall.thread()).isEqualTo("client-poll");
            assertThat(stall.textDetail("subscription")).contains("stream " + STREAM_ID);
            assertThat(stalls(ofDriver)).isEmpty();
            assertThat(watchOfDriver.missing()).noneMatch(line -> line.contains("blind"));
        }
        assertThat(errors).isEmpty();
    }

    /** The publisher, a client in the driver's process, has mapped the same log buffer as the subscriber. */
    @Test
    void shouldNameTheSubscriberOfAnIpcStream() throws Exception {
        try (Aeron local = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                ExclusivePublication ipc = local.addExclusivePublication("aeron:ipc?term-length=64k", STREAM_ID);
                PollingClient client = PollingClient.start(parent.resolve("aeron"), "aeron:ipc", STREAM_ID);
                AeronUnit unit = AeronUnit.of(parent.resolve("aeron"));
                Watch watchOfDriver = watch(unit, ProcessHandle.current().pid(), ofDriver);
                Watch watchOfClient = watch(unit, client.pid(), ofClient)) {
            Await.until("the subscription", () -> {
                unit.members();
                ipc.offer(message);
                return watchOfClient.subscriptions().stream().anyMatch(each -> each.isPolled());
            });
            Await.until("a thread that stalled twice", () -> {
                stopPolling(client);
                ipc.offer(message);
                return stallOfThreadNamedTwice(ofClient).isPresent();
            });

            assertThat(stallOfThreadNamedTwice(ofClient).orElseThrow().thread()).isEqualTo("client-poll");
            assertThat(stalls(ofDriver)).isEmpty();
            assertThat(watchOfClient.subscriptions()).singleElement().satisfies(summary -> {
                assertThat(summary.stream().isIpc()).isTrue();
                assertThat(summary.maxDepthBytes()).isPositive();
            });
            assertThat(watchOfDriver.subscriptions()).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldNameTheReceiverOfTheDriver() throws Exception {
        try (PollingClient client = PollingClient.start(parent.resolve("aeron"), channel, STREAM_ID);
                AeronUnit unit = AeronUnit.of(parent.resolve("aeron"));
                Watch watchOfDriver = watch(unit, ProcessHandle.current().pid(), ofDriver);
                Watch watchOfClient = watch(unit, client.pid(), ofClient)) {
            awaitPolled(unit, watchOfClient);
            Await.until("a stall of the receiver", () -> {
                holdReceiver(watchOfDriver);
                return stallOfReceiver().isPresent();
            });

            TimelineEvent stall = stallOfReceiver().orElseThrow();
            assertThat(stall.detail("subscription")).isNull();
            assertThat(stalls(ofClient)).isEmpty();
        }
        assertThat(errors).isEmpty();
    }

    private void holdReceiver(Watch watch) {
        receiver.hold();
        Await.until("datagrams in the socket", () -> {
            publication.offer(message);
            return watch.sockets().stream().anyMatch(socket -> socket.depths().depthBytes() > HELD_BYTES);
        });
        LockSupport.parkNanos(STOP_MS * 1_000_000L); // the standstill itself
        receiver.release();
        Await.until("an empty socket", () -> watch.sockets().stream()
                .allMatch(socket -> socket.depths().depthBytes() == 0));
    }

    /** The kernel's record of the first stall may come too late, as long as code of a JVM is looked up. */
    private static void stopPolling(PollingClient client) {
        try {
            client.stopPolling(STOP_MS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sender reads a socket, too, and may be without a CPU on a busy machine. */
    private Optional<TimelineEvent> stallOfReceiver() {
        return stalls(ofDriver).stream()
                .filter(stall -> stall.thread().startsWith("receiver"))
                .findFirst();
    }

    /** On a busy machine, another thread of the process may come back in the same moment: but not each time. */
    private static Optional<TimelineEvent> stallOfThreadNamedTwice(EventLog events) {
        List<TimelineEvent> named = stalls(events).stream()
                .filter(stall -> !stall.thread().isEmpty())
                .toList();
        return named.stream()
                .filter(stall -> named.stream()
                                .filter(other -> other.thread().equals(stall.thread()))
                                .count()
                        > 1)
                .findFirst();
    }

    private Watch watch(AeronUnit unit, long pid, EventLog events) {
        UnitMember member = unit.members().stream()
                .filter(each -> each.pid() == pid)
                .findFirst()
                .orElseThrow();
        return Watch.attachMember(String.valueOf(pid), member, claims, null, events, List.of(), errors::add);
    }

    private void awaitPolled(AeronUnit unit, Watch watch) {
        Await.until("the subscription", () -> {
            unit.members();
            publication.offer(message);
            return watch.subscriptions().stream().anyMatch(each -> each.isPolled());
        });
    }

    /** Returns the stalls of about the length of the test's, or longer: on a busy machine there may be shorter ones of any thread. */
    private static List<TimelineEvent> stalls(EventLog events) {
        return events.of(TimelineEventType.STALL).stream()
                .filter(stall -> stall.durationNs() >= STOP_MS * 900_000L)
                .toList();
    }
}
