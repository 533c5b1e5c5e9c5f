package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.instruments.linux.MonotonicConverter;

@Timeout(60)
final class RecordedWaitsTest {
    /** The kernel keeps 15 characters of it. */
    private static final String REPORTER = "reporter-of-the-books";

    @TempDir
    private Path directory;

    @Test
    void shouldTellForWhatAWakerWaitedAndWhere() throws Exception {
        Path file = directory.resolve("window.jfr");
        long beganNs = System.nanoTime();
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.ThreadSleep")
                    .withThreshold(Duration.ofMillis(1))
                    .withStackTrace();
            recording.start();
            sleepIn("other");
            sleepIn(REPORTER);
            recording.stop();
            recording.dump(file);
        }
        long offsetNs = MonotonicConverter.ofSystem().epochOffsetNs();

        List<JavaWait> waits = RecordedWaits.read(file, "4711", Set.of("reporter-of-the", "mds"), offsetNs);

        assertThat(waits).singleElement().satisfies(wait -> {
            assertThat(wait.process()).isEqualTo("4711");
            assertThat(wait.thread()).isEqualTo("reporter-of-the");
            assertThat(wait.call().what()).isEqualTo("slept");
            assertThat(wait.where()).startsWith(RecordedWaitsTest.class.getName() + ".nap:");
            assertThat(wait.timeNs()).isBetween(beganNs, System.nanoTime());
        });
    }

    @Test
    void shouldRefuseARecordingThatIsDamaged() throws IOException {
        Path file = Files.write(directory.resolve("window.jfr"), new byte[100]);

        assertThatThrownBy(() -> RecordedWaits.read(file, "4711", Set.of("reporter"), 0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cannot read");
    }

    private static void sleepIn(String name) throws InterruptedException {
        Thread thread = new Thread(RecordedWaitsTest::nap, name);
        thread.start();
        thread.join();
    }

    private static void nap() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
