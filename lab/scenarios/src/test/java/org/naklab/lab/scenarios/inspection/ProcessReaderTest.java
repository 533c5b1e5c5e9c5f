package org.naklab.lab.scenarios.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Await;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ProcessReaderTest {
    private static final long SELF = ProcessHandle.current().pid();
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private static ProcessReading read(long pid) {
        return new ProcessReader(pid, null).read().orElseThrow();
    }

    @Test
    void shouldSeeADescriptorThatIsLeftOpen() throws IOException {
        Path file = Files.createFile(directory.resolve("left-open"));
        String key = ProcessReader.withoutNumber(file.toRealPath().toString());
        Map<String, Integer> before = read(SELF).descriptors();
        try (InputStream open = Files.newInputStream(file)) {
            assertThat(open).isNotNull();
            assertThat(ProcessReading.more(before, read(SELF).descriptors())).containsEntry(key, 1);
        }
        assertThat(ProcessReading.more(before, read(SELF).descriptors())).doesNotContainKey(key);
    }

    @Test
    void shouldTellSocketsByTheirFamilies() throws IOException {
        Map<String, Integer> before = read(SELF).descriptors();
        try (DatagramChannel open = DatagramChannel.open(StandardProtocolFamily.INET)) {
            open.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThat(ProcessReading.more(before, read(SELF).descriptors())).containsEntry("socket:udp", 1);
        }
        assertThat(ProcessReading.more(before, read(SELF).descriptors())).doesNotContainKey("socket:udp");
    }

    @Test
    void shouldSeeAThreadThatIsLeftRunning() throws InterruptedException {
        Map<String, Integer> before = read(SELF).threads();
        CountDownLatch end = new CountDownLatch(1);
        Thread left = new Thread(
                () -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "left-running");
        left.start();
        // A thread of Java names itself when it begins to run.
        Await.until(() -> Map.of("left-running", 1)
                .equals(ProcessReading.more(before, read(SELF).threads())));
        end.countDown();
        left.join();
    }

    @Test
    void shouldSeeAProcessThatIsLeftAndStopped() throws IOException, InterruptedException {
        Map<String, Integer> before = read(SELF).children();
        Process left = new ProcessBuilder("sleep", "60").start();
        try {
            Await.until(() -> ProcessReading.more(before, read(SELF).children()).containsKey("sleep"));
            assertThat(read(left.pid()).isStopped()).isFalse();
            run("kill", "-STOP", Long.toString(left.pid()));
            Await.until(() -> read(left.pid()).isStopped());
        } finally {
            left.destroyForcibly().waitFor();
        }
        assertThat(new ProcessReader(left.pid(), null).read()).isEmpty();
    }

    /** Its parent has ended, so that it is no direct child of whoever started that. */
    @Test
    void shouldSeeAProcessThatAHelperHasLeft() throws IOException, InterruptedException {
        Map<String, Integer> before = read(SELF).children();
        try (Subreaper subreaper = Subreaper.begin()) {
            Process helper = new ProcessBuilder("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!").start();
            long left =
                    Long.parseLong(new String(helper.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            try {
                assertThat(helper.waitFor()).isZero();
                assertThat(subreaper).isNotNull();
                Await.until(() -> Map.of("sleep", 1)
                        .equals(ProcessReading.more(before, read(SELF).children())));
            } finally {
                ProcessHandle.of(left).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    void shouldSeeAThreadThatIsBoundToACpu() throws IOException, InterruptedException {
        Process bound = new ProcessBuilder("sleep", "60").start();
        try {
            String before = Objects.requireNonNull(read(bound.pid()).affinity().get(bound.pid()));
            run("taskset", "-p", "-c", firstOf(before), Long.toString(bound.pid()));
            assertThat(read(bound.pid()).affinity().get(bound.pid())).isEqualTo(firstOf(before));
        } finally {
            bound.destroyForcibly().waitFor();
        }
    }

    /** The first CPU of a list such as {@code 1-2} or {@code 0,3}. */
    private static String firstOf(String cpus) {
        return cpus.split("[-,]", 2)[0];
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void shouldTellPagesOfTheJournalFromOtherMemory() throws IOException {
        Path journal = Files.createDirectory(directory.resolve("journal"));
        Path other = Files.createDirectory(directory.resolve("journal-of-another"));
        ProcessReader reader = new ProcessReader(SELF, journal.toRealPath());
        try (FileChannel of = map(journal);
                FileChannel notOf = map(other)) {
            assertThat(reader.journalBytes()).isZero();
            MappedByteBuffer its = of.map(FileChannel.MapMode.READ_WRITE, 0, 2 * MIB);
            MappedByteBuffer not = notOf.map(FileChannel.MapMode.READ_WRITE, 0, 4 * MIB);
            touch(its);
            touch(not);
            assertThat(reader.journalBytes()).isEqualTo(2 * MIB);
            assertThat(its.capacity() + not.capacity()).isEqualTo(6 * MIB);
        }
    }

    private static FileChannel map(Path directory) throws IOException {
        return FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private static void touch(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i += 4096) {
            buffer.put(i, (byte) 1);
        }
    }

    @Test
    void shouldMeasureAnonymousMemory() {
        ProcessReader reader = new ProcessReader(SELF, null);
        long before = reader.anonymousBytes();
        ByteBuffer taken = ByteBuffer.allocateDirect(64 * MIB);
        touch(taken);
        assertThat(reader.anonymousBytes() - before).isGreaterThan(32L * MIB);
        assertThat(taken.get(0)).isEqualTo((byte) 1);
    }
}
