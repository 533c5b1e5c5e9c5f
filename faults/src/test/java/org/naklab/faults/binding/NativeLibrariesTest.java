package org.naklab.faults.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultException;

@Timeout(60)
class NativeLibrariesTest {
    private static final int NOBODY = 65_534;

    @TempDir
    Path directory;

    @Test
    void shouldUnpackAndDeleteWhenClosed() {
        NativeSupport.assume();
        Path library;
        try (NativeLibraries libraries = NativeLibraries.open()) {
            library = libraries.yieldLibrary();
            assertThat(library).isReadable();
            assertThat(libraries.auditLibrary()).isReadable();
        }
        assertThat(library.getParent()).doesNotExist();
    }

    @Test
    void shouldUseAStableDirectory() {
        NativeSupport.assume();
        NativeLibraries.unpackTo(directory);

        try (NativeLibraries libraries = NativeLibraries.in(directory)) {
            assertThat(libraries.yieldLibrary().getParent()).isEqualTo(directory);
        }
        assertThat(directory.resolve(NativeLibraries.YIELD)).exists();
    }

    @Test
    void shouldDeleteNothingBehindLinksThatWerePlanted() throws IOException {
        NativeSupport.assume();
        Path victim = Files.writeString(
                Files.createDirectory(directory.resolve("victim")).resolve("file"), "kept");
        Path planted = Files.createDirectory(planted());
        Path link = Files.createSymbolicLink(planted.resolve("link"), victim.getParent());
        try {
            NativeLibraries.open().close();
            giveAway(planted);
            NativeLibraries.open().close();

            assertThat(victim).hasContent("kept");
        } finally {
            Files.delete(link);
            Files.delete(planted);
        }
    }

    /** It leads to a directory that looks like what a killed process of this user left. */
    @Test
    void shouldNeitherTakeNorFollowALinkOfItsName() throws IOException {
        NativeSupport.assume();
        Path victim = Files.writeString(
                Files.createDirectory(directory.resolve("victim")).resolve("file"), "kept");
        Files.setPosixFilePermissions(victim.getParent(), PosixFilePermissions.fromString("rwx------"));
        Files.createFile(victim.resolveSibling("lock"));
        Path link = Files.createSymbolicLink(planted(), victim.getParent());
        try (NativeLibraries libraries = NativeLibraries.open()) {
            assertThat(libraries.yieldLibrary().getParent())
                    .isNotEqualTo(link)
                    .isDirectory()
                    .satisfies(own -> assertThat(Files.isSymbolicLink(own)).isFalse());
        } finally {
            Files.delete(link);
        }
        assertThat(victim.getParent()).isDirectoryContaining(victim::equals);
        assertThat(victim).hasContent("kept");
    }

    /** All that it lacks of a directory that a killed process of this user left is the owner. */
    @Test
    void shouldNeitherTakeNorDeleteADirectoryOfAnotherUser() throws IOException {
        NativeSupport.assume();
        Path planted = Files.createDirectory(
                planted(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path lock = Files.createFile(planted.resolve("lock"));
        Path file = Files.writeString(planted.resolve(NativeLibraries.YIELD), "not this build's");
        try {
            Assumptions.assumeTrue(mayGiveAway(planted), "only root can give files away");
            Files.setAttribute(lock, "unix:uid", NOBODY);
            Files.setAttribute(planted, "unix:uid", NOBODY);
            try (NativeLibraries libraries = NativeLibraries.open()) {
                assertThat(libraries.yieldLibrary().getParent()).isNotEqualTo(planted);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                                libraries.yieldLibrary().getParent())))
                        .isEqualTo("rwx------");
            }
            assertThat(file).hasContent("not this build's");
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(lock);
            Files.deleteIfExists(planted);
        }
    }

    private static Path planted() {
        return Path.of(System.getProperty("java.io.tmpdir"), "naklab-native-2147483646-" + System.nanoTime());
    }

    private static boolean mayGiveAway(Path path) throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid"));
    }

    /** To another user, if this one may. */
    private static void giveAway(Path planted) throws IOException {
        if (mayGiveAway(planted)) {
            Files.setAttribute(planted, "unix:uid", NOBODY);
        }
    }

    @Test
    void shouldSayWhatToInstallWhenThereIsNoCompiler() throws IOException, InterruptedException {
        build("CC", "naklab-no-such-compiler");

        assertThatThrownBy(() -> NativeLibraries.in(directory))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("true lazy binding needs the native libraries")
                .hasMessageContaining("naklab-no-such-compiler")
                .hasMessageContaining("apt-get install gcc");
    }

    @Test
    void shouldBuildWithoutACompilerOnThePath() throws IOException, InterruptedException {
        Path tools = Files.createDirectory(directory.resolve("bin"));

        build("PATH", tools.toString());

        assertThat(directory.resolve("unavailable.txt")).content().contains("no C compiler (cc)");
    }

    private void build(String variable, String value) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "/bin/sh", script().toString(), directory.toString(), System.getProperty("java.home"));
        builder.environment().remove("CC");
        builder.environment().put(variable, value);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.txt").toFile())
                .start();

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("output.txt")))
                .isZero();
    }

    private static Path script() {
        return Path.of(System.getProperty("naklab.root"), "faults/src/main/c/build.sh");
    }
}
