package org.naklab.lab.replica.child;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LabException;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.replica.transport.Transport;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

/** Everything that a process sends and receives lies in its Aeron directory: others may not reach it. */
@Timeout(60)
final class AeronDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    void shouldNotUseADirectoryIntoWhichOthersCanWrite() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        String aeron = directory.resolve("aeron").toString();
        TransportConfig config = config(aeron);

        assertThatThrownBy(() -> Transport.contextOf(config, new ContextEventReporter("mds")))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("no place for the Aeron directory " + aeron + ": ");
    }

    @Test
    void shouldNotUseTheRootOfTheFileSystem() {
        TransportConfig config = config("/");

        assertThatThrownBy(() -> Transport.contextOf(config, new ContextEventReporter("mds")))
                .isInstanceOf(LabException.class)
                .hasMessage("the Aeron directory cannot be /");
    }

    private static TransportConfig config(String aeronDirectory) {
        return new TransportConfig(
                "mds",
                TopicChannels.onLoopback(20_000),
                TransportProfile.LBTRM,
                aeronDirectory,
                0,
                0,
                42,
                7,
                20_000_000,
                IdleMode.BACKOFF);
    }
}
