package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Runs {@link Sample}'s test that is meant to fail, and tests that share a watch, with JUnit's test kit; {@link WatchPassesScenario} runs the others. */
@Matrix
@Timeout(120)
class WatchReceiveScenario {
    @TempDir
    Path directory;

    /** A thread receives on a socket with a small buffer, and needs a lock for each datagram. */
    @WatchReceive(failOn = {ReceiveFailure.DROPS, ReceiveFailure.STALL_OVER_20MS})
    static class Sample {
        private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(500);
        private static final int DATAGRAM_BYTES = 200;

        private final Object lock = new Object();
        private final AtomicInteger received = new AtomicInteger();
        private final DatagramSocket receiver;
        private final DatagramSocket sender;
        private int sent;

        Sample() throws IOException {
            receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            receiver.setReceiveBufferSize(16 * 1024);
            sender = new DatagramSocket();
            sender.connect(receiver.getLocalSocketAddress());
        }

        @BeforeEach
        void receiveTheFirst() throws IOException {
            Thread thread = new Thread(this::receive, "receiver");
            thread.setDaemon(true);
            thread.start();
            send(1);
            awaitAll();
        }

        @AfterEach
        void close() {
            sender.close();
            receiver.close();
        }

        private void receive() {
            DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES);
            try {
                while (true) {
                    receiver.receive(packet);
                    synchronized (lock) {
                        received.incrementAndGet();
                    }
                }
            } catch (IOException e) {
                // The socket was closed: the test has ended.
                return;
            }
        }

        private void send(int datagrams) throws IOException {
            for (int i = 0; i < datagrams; i++) {
                sender.send(new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES));
            }
            sent += datagrams;
        }

        private void awaitAll() {
            Await.until(() -> received.get() == sent);
        }

        /** The stall that is injected. */
        private void stall(int datagrams) throws IOException {
            synchronized (lock) {
                send(datagrams);
                long endNs = System.nanoTime() + STALL_NS;
                while (System.nanoTime() - endNs < 0) {
                    LockSupport.parkNanos(endNs - System.nanoTime());
                }
            }
        }

        @Test
        void isIdle() {}

        @Test
        @WatchReceive(failOn = ReceiveFailure.DROPS)
        void receivesAll() throws IOException {
            for (int i = 0; i < 100; i++) {
                send(1);
                awaitAll();
            }
        }

        @Test
        void stalls() throws IOException {
            stall(5);
            awaitAll();
        }

        @Test
        @WatchReceive(failOn = ReceiveFailure.DROPS)
        void stallsWithoutLoss() throws IOException {
            stall(5);
            awaitAll();
        }

        @Test
        void overflows() throws IOException {
            stall(1_000);
        }
    }

    /** Tests that note what watches them: each attachment has a sampler, recordings of JFR, and of root a recorder of the kernel's. */
    @WatchReceive(failOn = ReceiveFailure.DROPS)
    static class Several {
        static final Set<Long> SAMPLERS = ConcurrentHashMap.newKeySet();
        static final Set<Set<Long>> RECORDINGS = ConcurrentHashMap.newKeySet();
        static final Set<Long> RECORDERS = ConcurrentHashMap.newKeySet();

        @RepeatedTest(4)
        void notesWhatWatchesIt() throws IOException {
            try (DatagramSocket opened = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                assertThat(opened.isBound()).isTrue();
                samplers().forEach(sampler -> SAMPLERS.add(sampler.getId()));
                RECORDINGS.add(FlightRecorder.getFlightRecorder().getRecordings().stream()
                        .filter(each -> each.getName().startsWith("naklab-"))
                        .map(Recording::getId)
                        .collect(Collectors.toSet()));
                ProcessHandle.current()
                        .descendants()
                        .filter(child -> child.info().command().orElse("").endsWith("naklab-kernel"))
                        .forEach(child -> RECORDERS.add(child.pid()));
            }
        }

        static List<Thread> samplers() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("naklab-sampler"))
                    .toList();
        }
    }

    static EngineExecutionResults run(String method, Path directory) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Sample.class, method))
                .configurationParameter(WatchReceiveExtension.DIRECTORY, directory.toString())
                .execute();
    }

    static String failureOf(String method, Path directory) {
        TestExecutionResult result = run(method, directory).testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .orElseThrow();
        return Objects.toString(result.getThrowable().orElseThrow().getMessage());
    }

    static Path evidenceOf(String method, Path directory) {
        return directory.resolve(Sample.class.getName()).resolve(method);
    }

    @Test
    void shouldFailAStallWithItsCauseAndTheEvidence() {
        String message = failureOf("stalls", directory);

        assertThat(message)
                .contains("Sample#stalls: 1 stall over 20 ms")
                .contains("1 stall: receiver waited ", " for a lock")
                .containsPattern("\n  +cause +[a-z-]+, ")
                .contains("evidence: " + evidenceOf("stalls", directory));
        assertThat(evidenceOf("stalls", directory))
                .isDirectoryContaining("glob:**run.json")
                .isDirectoryContaining("glob:**diagnosis.json")
                .isDirectoryContaining("glob:**window-timeline.jsonl");
    }

    /** To attach takes seconds: it happens once, and ends with all tests. */
    @Test
    void shouldAttachOnceForAllTestsOfTheJvm() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Several.class))
                .configurationParameter(WatchReceiveExtension.DIRECTORY, directory.toString())
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(4).failed(0));

        assertThat(Several.SAMPLERS).as("threads that sample").hasSize(1);
        assertThat(Several.RECORDINGS)
                .as("recordings of JFR in each test")
                .hasSize(1)
                .doesNotContain(Set.of());
        assertThat(Several.RECORDERS).as("programs that record in the kernel").hasSizeLessThanOrEqualTo(1);
        assertThat(Several.samplers()).as("after the last test").isEmpty();
    }
}
