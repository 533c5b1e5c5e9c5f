package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineWriter;

@Timeout(20)
class OutputFileTest {
    private static final int NOBODY = 65_534;

    @TempDir
    Path directory;

    private Path victim;
    private Path planted;

    @BeforeEach
    void plant() throws IOException {
        victim = Files.writeString(directory.resolve("victim"), "mine");
        planted = Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("run")).resolve("report.html"), victim);
    }

    @Test
    void shouldWriteThroughNoLink() throws IOException {
        assertThatThrownBy(() -> OutputFile.replace(planted, "page")).hasMessageContaining("is a link");
        assertThatThrownBy(() -> OutputFile.create(planted).close()).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Json.write(planted, Map.of())).hasMessageContaining("is a link");
        assertThatThrownBy(() -> TimelineWriter.create(planted).close()).isInstanceOf(DetectException.class);
        assertThat(victim).hasContent("mine");
    }

    @Test
    void shouldCheckAFileWithoutLeavingAnything() throws IOException {
        OutputFile.check(directory.resolve("run/later.xml"));
        try (Stream<Path> left = Files.list(directory.resolve("run"))) {
            assertThat(left).containsExactly(planted);
        }
        assertThatThrownBy(() -> OutputFile.check(planted)).hasMessageContaining("is a link");
        assertThatThrownBy(() -> OutputFile.check(victim.resolve("later.xml"))).hasMessageContaining("is no directory");
        assertThatThrownBy(() -> OutputFile.check(directory.resolve("none/later.xml")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldReplaceAFileAsAWholeOrNotAtAll() throws IOException {
        Path file = Files.writeString(directory.resolve("run/run.json"), "before");

        assertThatThrownBy(() -> OutputFile.replace(file, out -> {
                    out.write('x');
                    throw new IOException("disk is full");
                }))
                .hasMessage("disk is full");
        assertThat(file).hasContent("before");

        OutputFile.replace(file, "after");
        assertThat(file).hasContent("after");
        try (var left = Files.list(directory.resolve("run"))) {
            assertThat(left.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("run.json", "report.html");
        }
    }

    @Test
    void shouldNotReplaceWhatIsNoFile() {
        assertThatThrownBy(() -> OutputFile.replace(Path.of("/dev/null"), "page"))
                .hasMessageContaining("a device");
        assertThatThrownBy(() -> OutputFile.replace(directory.resolve("run"), "page"))
                .hasMessageContaining("a directory");
        assertThat(Path.of("/dev/null")).matches(file -> !Files.isRegularFile(file), "a device");
    }

    @Test
    void shouldRefuseADirectoryThatOthersCanWrite() throws IOException {
        Path open = directory.resolve("run");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (Path each : List.of(open, open.resolve("below"))) {
            assertThatThrownBy(() -> OutputFile.directory(each))
                    .hasMessageContaining("other users can write to " + open)
                    .hasMessageContaining("chmod go-w");
        }
        assertThatThrownBy(() -> OutputFile.create(open.resolve("file")).close())
                .hasMessageContaining("other users");
        assertThat(open.resolve("below")).doesNotExist();
    }

    @Test
    void shouldWriteWhereOnlyOwnersRename() throws IOException {
        Path shared = directory.resolve("run");
        Files.setAttribute(shared, "unix:mode", 01777);
        try (OutputStream out = OutputFile.create(shared.resolve("new"))) {
            out.write('x');
        }
        OutputFile.replace(shared.resolve("new"), "page");
        assertThat(shared.resolve("new")).hasContent("page");
    }

    @Test
    void shouldRefuseWhatBelongsToAnotherUser() throws IOException {
        Path foreign = directory.resolve("run");
        assumeThat(Files.getAttribute(foreign, "unix:uid")).as("root's").isEqualTo(0);
        Path own = Files.createDirectory(foreign.resolve("own"));
        Files.setAttribute(foreign, "unix:uid", NOBODY);
        assertThatThrownBy(() -> OutputFile.directory(foreign)).hasMessageContaining("belongs to user nobody");
        assertThatThrownBy(() -> OutputFile.replace(own.resolve("file"), "page"))
                .hasMessageContaining("belongs to user nobody");
        assertThat(own.resolve("file")).doesNotExist();
    }

    @Test
    void shouldFollowOnlyLinksOfItsOwnUser() throws IOException {
        Path target = Files.createDirectory(directory.resolve("target"));
        Path latest = Files.createSymbolicLink(directory.resolve("latest"), Path.of("run/../target"));
        assertThat(OutputFile.directory(latest)).isEqualTo(target.toRealPath());

        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertThatThrownBy(() -> OutputFile.directory(loop)).hasMessageContaining("too many links");

        assumeThat(Files.getAttribute(latest, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .as("root's")
                .isEqualTo(0);
        Files.setAttribute(latest, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
        assertThatThrownBy(() -> OutputFile.directory(latest)).hasMessageContaining("belongs to user nobody");
    }
}
