package org.naklab.faults.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultException;

@Timeout(60)
class NativeLibrariesTest {
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
        Path planted = Files.createDirectory(
                Path.of(System.getProperty("java.io.tmpdir"), "naklab-native-2147483646-" + System.nanoTime()));
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

    /** To another user, if this one may. */
    private static void giveAway(Path planted) throws IOException {
        if (Integer.valueOf(0).equals(Files.getAttribute(planted, "unix:uid"))) {
            Files.setAttribute(planted, "unix:uid", 65_534);
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
