package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** Compares recorded drops with the number of datagrams that did not arrive. */
@Matrix
@Timeout(120)
class LiveDropRecordTest extends VictimRecording {
    @Test
    void shouldCountDroppedDatagramsByReason() throws Exception {
        int port = FreePorts.pair();
        try (Victim victim = Victim.start(program, "udp", Integer.toString(port));
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            List<String> counts = victim.line();
            end(recorder);

            assertThat(drops("SOCKET_RCVBUFF", port)).isEqualTo(Long.parseLong(counts.get(1)));
            assertThat(drops("UDP_CSUM", port)).isEqualTo(Long.parseLong(counts.get(2)));
            assertThat(log.of(DatagramRecord.Drops.class).stream()
                            .filter(drops -> drops.flow().port() == port))
                    .allMatch(drops -> drops.flow().destination().equals("127.0.0.1"));
        }
    }

    private long drops(String reason, int port) {
        return log.of(DatagramRecord.Drops.class).stream()
                .filter(drops -> drops.flow().port() == port && drops.reason().equals(reason))
                .mapToLong(DatagramRecord.Drops::count)
                .sum();
    }
}
