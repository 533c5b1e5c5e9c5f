package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ProcNetUdpTest {
    private static final String TABLE = """
               sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
             1234: 0110C0EF:5B5C 00000000:0000 07 00000000:0003FF40 00:00000000 00000000     0        0 4711 2 0000000000000000 2116
             1235: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   104        0 4712 2 0000000000000000 0
            """;

    @Test
    void shouldReadDepthAndDropsOfTheRunsPorts(@TempDir Path directory) throws IOException {
        Path table = Files.writeString(directory.resolve("udp"), TABLE);
        assertThat(ProcNetUdp.read(table, 23_388, 23_389))
                .containsExactly(new ProcNetUdp.Row("239.192.16.1", 23_388, 4711, 0x3ff40, 2116));
    }

    @Test
    void shouldReadEmptyTable(@TempDir Path directory) throws IOException {
        assertThat(ProcNetUdp.read(Files.createFile(directory.resolve("udp")), 1, 65_535))
                .isEmpty();
    }
}
