package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.ThreadAbsence.SocketWait;

/** Files as Linux 6.18 has them. */
@Timeout(60)
final class SocketsOfCallTest {
    @TempDir
    private Path process;

    @BeforeEach
    void makeDirectories() throws IOException {
        Files.createDirectory(process.resolve("fd"));
        Files.createDirectory(process.resolve("fdinfo"));
    }

    @Test
    void shouldTellTheSocket() throws IOException {
        Files.createSymbolicLink(process.resolve("fd/3"), Path.of("socket:[2425517]"));

        assertThat(SocketsOfCall.of(process, 3)).contains(new SocketWait(List.of(2_425_517L), List.of()));
    }

    @Test
    void shouldTellTheSocketsOfASetAndThoseOfWhichItTellsOnce() throws IOException {
        Files.createSymbolicLink(process.resolve("fd/4"), Path.of("anon_inode:[eventpoll]"));
        Files.writeString(process.resolve("fdinfo/4"), """
                pos:\t0
                flags:\t02000002
                mnt_id:\t17
                ino:\t1038
                tfd:        3 events: 80000019 data:                3  pos:0 ino:2502ad sdev:9
                tfd:        5 events: 40000000 data:                5  pos:0 ino:10 sdev:9
                tfd:        6 events:       19 data:                6  pos:0 ino:11 sdev:9
                """);

        assertThat(SocketsOfCall.of(process, 4))
                .contains(new SocketWait(List.of(0x2502adL, 16L, 17L), List.of(0x2502adL, 16L)));
    }

    @Test
    void shouldTellNothingOfOtherFiles() throws IOException {
        Files.createSymbolicLink(process.resolve("fd/5"), Path.of("pipe:[7]"));

        assertThat(SocketsOfCall.of(process, 5)).isEmpty();
        assertThat(SocketsOfCall.of(process, 6)).isEmpty();
    }
}
