package org.naklab.faults.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.testing.Await;

@Timeout(60)
class DiskReadsFaultTest {
    private static final int O_DIRECT = System.getProperty("os.arch").equals("aarch64") ? 0200000 : 040000;
    private static final int READERS = 2;

    @TempDir
    Path directory;

    @Test
    void shouldReadPastThePageCache() throws IOException {
        Fault reads = create(directory);

        List<Path> open = openFiles();

        assertThat(open).hasSize(READERS).allSatisfy(fd -> assertThat(flags(fd) & O_DIRECT)
                .as(fd.toString())
                .isNotZero());
        reads.arm();
        Await.until("reads", () -> reads.proof().fired());
        reads.disarm();
        assertThat(reads.proof().figure("reads")).isPositive();
        assertThat(openFiles()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNoFileOpenWhenItWasNeverArmed() throws IOException {
        Fault reads = create(directory);

        reads.disarm();
        reads.disarm();

        assertThat(openFiles()).isEmpty();
    }

    @Test
    void shouldSayWhyItCannotReadAndLeaveNothing() {
        Path proc = Path.of("/proc/self/fdinfo");
        assumeTrue(Files.isWritable(proc), "only root may write to a directory that takes no files");

        assertThatThrownBy(() -> new DiskReadsFault().create(spec(proc), new FaultSite("mds"), 0))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("cannot read past the page cache in /proc/self/fdinfo");
    }

    private static Fault create(Path directory) {
        try {
            return new DiskReadsFault().create(spec(directory), new FaultSite("mds"), 0);
        } catch (FaultException e) {
            assumeTrue(!String.valueOf(e.getMessage()).contains("[22]"), "no direct I/O: " + e.getMessage());
            throw e;
        }
    }

    private static FaultSpec spec(Path directory) {
        return FaultSpec.of("disk-reads", "mds", new DiskReadsFault.Parameters(directory.toString(), 0, READERS));
    }

    private List<Path> openFiles() throws IOException {
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return fds.filter(fd -> target(fd).startsWith(directory + "/naklab-reads-"))
                    .toList();
        }
    }

    private static String target(Path fd) {
        try {
            return Files.readSymbolicLink(fd).toString();
        } catch (IOException e) {
            // The one that lists the directory is gone by now.
            return "";
        }
    }

    /** In octal, as the kernel writes them. */
    private static int flags(Path fd) throws IOException {
        String line = Files.readAllLines(
                        Path.of("/proc/self/fdinfo", fd.getFileName().toString()))
                .stream()
                .filter(candidate -> candidate.startsWith("flags:"))
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(line.substring("flags:".length()).strip(), 8);
    }
}
