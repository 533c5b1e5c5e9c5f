package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SocketLookTest {
    private static final long OWN_PID = ProcessHandle.current().pid();

    /** Otherwise the threads that poll are never found. */
    @Test
    void shouldAskForWhatTheKernelRecorderTakes() {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        KernelRecorder recorder =
                KernelRecorder.start(RecorderSource.BPF, Set.of(OWN_PID), SocketLook.SAMPLES_ONLY, any -> {});
        recorder.close();
        assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
    }

    @Test
    void shouldFindWhoWaitsForASocket() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread reader = new Thread(() -> receive(socket), "look-reader");
            reader.start();
            List<ReadSocket> found =
                    SocketLook.at(OWN_PID, TimeUnit.MILLISECONDS.toNanos(500), nowNs -> looks.incrementAndGet());
            assertThat(found)
                    .filteredOn(each -> each.socket().identity().localPort() == socket.getLocalPort())
                    .singleElement()
                    .satisfies(each -> assertThat(each.threads()).containsExactly("look-reader"));
            assertThat(looks).hasPositiveValue();
        }
    }

    private static void receive(DatagramSocket socket) {
        try {
            socket.receive(new DatagramPacket(new byte[1], 1));
        } catch (IOException closed) {
            assertThat(socket.isClosed()).isTrue();
        }
    }
}
