package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.host.FreePorts;

/** Whoever can name the Aeron directory beforehand, or put links into it, gets nothing deleted. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AeronDirectoriesTest {
    private final Contexts contexts = new Contexts(FreePorts.pair());

    @TempDir
    private Path directory;

    private Path victim;

    @BeforeEach
    void makeVictim() throws IOException {
        victim = Files.createDirectory(directory.resolve("victim"));
        Files.writeString(victim.resolve("file"), "kept");
        Files.createDirectory(victim.resolve("empty"));
    }

    @Test
    void shouldRefuseDirectoryThatExists() throws IOException {
        Path planted = Files.createDirectory(directory.resolve("mds"));
        Files.createSymbolicLink(planted.resolve("images"), victim);

        assertRefused(planted, planted + " exists");
        assertVictimIsIntact();
    }

    @Test
    void shouldRefuseLinkInItsPlace() throws IOException {
        Path planted = Files.createSymbolicLink(directory.resolve("mds"), victim);

        assertRefused(planted, planted + " exists");
        assertVictimIsIntact();
    }

    @Test
    void shouldRefuseParentThatOtherUsersCanWriteTo() throws IOException {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertRefused(open.resolve("mds"), "other users can write to " + open);
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void shouldDeleteItsDirectoryAndFollowNoLink() throws IOException {
        Path own = directory.resolve("fresh/mds");
        try (MessagingContext context = launch(own)) {
            context.start();
            Files.createSymbolicLink(own.resolve("images/link"), victim);
        }
        assertThat(own).doesNotExist();
        assertVictimIsIntact();
    }

    @Test
    void shouldTakePlaceThatNobodyElseCanEnterByDefault() throws IOException {
        Path chosen = Path.of(contexts.named("mds", TransportProfile.LBTRM).aeronDirectory());

        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(chosen.resolve("..").normalize())))
                .isEqualTo("rwx------");
        assertThat(chosen).doesNotExist();
    }

    private void assertRefused(Path aeronDirectory, String reason) {
        assertThatThrownBy(() -> launch(aeronDirectory).close())
                .isInstanceOf(MessagingException.class)
                .hasMessageContaining(reason);
    }

    private MessagingContext launch(Path aeronDirectory) {
        return MessagingContext.launch(
                contexts.named("mds", TransportProfile.LBTRM).aeronDirectory(aeronDirectory.toString()));
    }

    private void assertVictimIsIntact() {
        assertThat(victim.resolve("file")).hasContent("kept");
        assertThat(victim.resolve("empty")).isDirectory();
    }
}
