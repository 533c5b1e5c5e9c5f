package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.sockets.ProcessSockets;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.testing.Await;
import org.naklab.testing.StopReading;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class ReceivingThreadsTest {
    private static final String GROUP = "239.192.25.8";
    private static final int PORT = FreePorts.pair();

    @TempDir
    Path directory;

    @Test
    void shouldFindTheThreadThatWaitsForTheSocket() throws Exception {
        try (StopReading receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT)) {
            assertThat(receiver.isReady()).isTrue();
            ReceivingThreads.Found found = new ReceivingThreads(receiver.pid()).find(sockets(receiver.pid()));
            assertThat(found.isComplete()).isTrue();
            assertThat(found.threads())
                    .extracting(ProcessThreads.NamedThread::tid)
                    .containsExactly((int) receiver.pid());
        }
    }

    /** The other only sends. */
    @Test
    void shouldFindTheThreadThatWaitsForOneOfTwoSockets() throws Exception {
        long pid = ProcessHandle.current().pid();
        Set<Long> others = openSockets(pid);
        Thread thread;
        try (DatagramSocket receiving = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket sending = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Set<Long> inodes = new HashSet<>(openSockets(pid));
            inodes.removeAll(others);
            assertThat(inodes).hasSize(2);
            assertThat(sending.isClosed()).isFalse();
            thread = new Thread(() -> receiveUntilClosed(receiving), "receives");
            thread.start();
            Await.until(
                    "waiting",
                    () -> !new ReceivingThreads(pid).find(inodes).threads().isEmpty());
            ReceivingThreads.Found found = new ReceivingThreads(pid).find(inodes);
            assertThat(found.isComplete()).isFalse();
            assertThat(found.threads())
                    .extracting(ProcessThreads.NamedThread::name)
                    .containsExactly("receives");
            SocketReaders readers =
                    new SocketReaders(pid, () -> inodes, inode -> Set.of(), ThreadLabels.ofProcess(pid));
            assertThat(readers.watched().contains("receives")).isFalse();
            readers.refresh(System.nanoTime());
            assertThat(readers.watched()).hasToString("receives");
            assertThat(readers.all()).containsExactly("receives");
            assertThat(inodes).filteredOn(inode -> !readers.of(inode).isEmpty()).hasSize(1);
        }
        thread.join();
    }

    /** The instrument duplicates the descriptors of the sockets: a thread waits for another than the newest. */
    @Test
    void shouldFindTheThreadWhenThisProcessObservesItsOwnSockets() throws Exception {
        long pid = ProcessHandle.current().pid();
        Set<Long> others = openSockets(pid);
        Thread thread;
        try (DatagramSocket receiving = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Set<Long> inodes = new HashSet<>(openSockets(pid));
            inodes.removeAll(others);
            thread = new Thread(() -> receiveUntilClosed(receiving), "receives");
            thread.start();
            SocketDepthInstrument instrument =
                    SocketDepthInstrument.attachToForeign("self", pid, event -> {}, SystemNanoClock.INSTANCE);
            try {
                Await.until(
                        "waiting", () -> new ReceivingThreads(pid).find(inodes).isComplete());
                assertThat(new ReceivingThreads(pid).bySocket(inodes)).containsOnlyKeys(inodes);
            } finally {
                instrument.close();
            }
        }
        thread.join();
    }

    @Test
    void shouldNotTellWhenNobodyWaitsForTheSocket() throws Exception {
        try (StopReading receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT)) {
            assertThat(receiver.isReady()).isTrue();
            receiver.stopReading();
            receiver.echo();
            assertThat(new ReceivingThreads(receiver.pid()).find(sockets(receiver.pid())))
                    .isEqualTo(ReceivingThreads.Found.NONE);
        }
    }

    @Test
    void shouldNotTellOfAProcessWithoutSockets() {
        assertThat(new ReceivingThreads(ProcessHandle.current().pid()).find(Set.of()))
                .isEqualTo(ReceivingThreads.Found.NONE);
    }

    private static void receiveUntilClosed(DatagramSocket socket) {
        try {
            socket.receive(new DatagramPacket(new byte[1], 1));
        } catch (IOException closed) {
            assertThat(socket.isClosed()).isTrue();
        }
    }

    private static Set<Long> sockets(long pid) {
        Set<Long> open = openSockets(pid);
        assertThat(open).hasSize(1);
        return open;
    }

    private static Set<Long> openSockets(long pid) {
        Long2LongHashMap open = Objects.requireNonNull(new ProcessSockets(pid).descriptorsByInode());
        return Set.copyOf(open.keySet());
    }
}
