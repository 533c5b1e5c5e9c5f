package org.naklab.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class NativeResourceTest {
    private static final NativeResource EXAMPLE = new NativeResource(NativeResourceTest.class, "example");
    private static final NativeResource NONE = new NativeResource(NativeResourceTest.class, "none");

    @TempDir
    private Path directory;

    private final List<Path> used = new ArrayList<>();

    @Test
    void shouldCopyOverAnOlderFile() throws IOException {
        Path file = Files.writeString(directory.resolve("example"), "an older and longer program");
        assertThat(EXAMPLE.exists()).isTrue();
        assertThat(EXAMPLE.copyTo(file)).isTrue();
        assertThat(file).hasContent("a program\n");
    }

    @Test
    void shouldCopyNothingIfTheBuildHasNone() throws IOException {
        assertThat(NONE.exists()).isFalse();
        assertThat(NONE.copyTo(directory.resolve("none"))).isFalse();
        assertThat(directory).isEmptyDirectory();
        assertThat(NONE.use("naklab-test-", "", used::add)).isEmpty();
        assertThat(used).isEmpty();
    }

    @Test
    void shouldUseAFileThatNobodyElseMayOpenAndDeleteIt() throws IOException {
        assertThat(EXAMPLE.use("naklab-test-", ".so", this::read)).contains("a program\n rwx------");
        assertThat(used).singleElement().satisfies(file -> {
            assertThat(file).doesNotExist();
            assertThat(file.getFileName().toString()).startsWith("naklab-test-").endsWith(".so");
        });
    }

    @Test
    void shouldDeleteTheFileThatCannotBeLoaded() {
        assertThatThrownBy(() -> EXAMPLE.use("naklab-test-", "", file -> {
                    used.add(file);
                    throw new UnsatisfiedLinkError("no ELF file");
                }))
                .hasMessage("no ELF file");
        assertThat(used).singleElement().satisfies(file -> assertThat(file).doesNotExist());
    }

    @Test
    void shouldTellWhyThereIsNone() throws IOException {
        assertThat(NativeResource.whyNotBuilt(NativeResourceTest.class)).isEqualTo("There is no compiler.");
        assertThat(NativeResource.whyNotBuilt(String.class)).isEqualTo("the build did not try");
    }

    private String read(Path file) {
        used.add(file);
        try {
            return Files.readString(file) + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
