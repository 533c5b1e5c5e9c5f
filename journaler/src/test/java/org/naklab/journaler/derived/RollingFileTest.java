package org.naklab.journaler.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.TestFeed;

@Timeout(60)
class RollingFileTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    Path directory;

    @Test
    void shouldRollBySize() throws IOException {
        try (RollingFile file = file(new RollPolicy(10, Long.MAX_VALUE))) {
            append(file, 0, "aaaa");
            append(file, 0, "bbbb");
            append(file, 0, "cccc");
            append(file, 0, "longer than a file");
            append(file, 0, "d");
            assertThat(file.files()).isEqualTo(4);
            assertThat(file.records()).isEqualTo(5);
        }

        assertThat(contents())
                .containsExactly(
                        Map.entry("x-20120621T133000Z-000001.txt", "h|aaaabbbb"),
                        Map.entry("x-20120621T133000Z-000002.txt", "h|cccc"),
                        Map.entry("x-20120621T133000Z-000003.txt", "h|longer than a file"),
                        Map.entry("x-20120621T133000Z-000004.txt", "h|d"));
    }

    @Test
    void shouldRollAtTheBoundariesOfReceiveTime() throws IOException {
        try (RollingFile file = file(new RollPolicy(1000, 10 * MINUTE_NS))) {
            append(file, 0, "a");
            append(file, 10 * MINUTE_NS - 1, "b");
            append(file, 10 * MINUTE_NS, "c");
            append(file, 45 * MINUTE_NS, "d");
        }

        assertThat(contents())
                .containsExactly(
                        Map.entry("x-20120621T133000Z-000001.txt", "h|ab"),
                        Map.entry("x-20120621T134000Z-000002.txt", "h|c"),
                        Map.entry("x-20120621T141500Z-000003.txt", "h|d"));
    }

    @Test
    void shouldKeepRecordsThatAreLongerThanItsBuffer() throws IOException {
        String longRecord = "0123456789".repeat(20_000);
        try (RollingFile file = file(RollPolicy.DEFAULT)) {
            append(file, 0, "a");
            append(file, 0, longRecord);
            append(file, 0, "b");
        }

        assertThat(contents().values()).containsExactly("h|a" + longRecord + "b");
    }

    @Test
    void shouldShowWhatWasFlushed() throws IOException {
        try (RollingFile file = file(RollPolicy.DEFAULT)) {
            append(file, 0, "a");
            file.flush();
            assertThat(contents().values()).containsExactly("h|a");
        }
    }

    @Test
    void shouldNeverOverwrite() throws IOException {
        Path existing = Files.writeString(directory.resolve("x-20120621T133000Z-000001.txt"), "precious");
        try (RollingFile file = file(RollPolicy.DEFAULT)) {
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> append(file, 0, "a"))
                    .withMessage(existing + " exists already");
        }
        assertThat(existing).hasContent("precious");
    }

    @Test
    void shouldRefusePoliciesThatNeverEnd() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RollPolicy(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new RollPolicy(1, 0));
    }

    private RollingFile file(RollPolicy policy) {
        return new RollingFile(directory, "x", "txt", "h|".getBytes(StandardCharsets.US_ASCII), policy);
    }

    private static void append(RollingFile file, long afterStartNs, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        file.append(TestFeed.START_NS + afterStartNs, bytes, bytes.length);
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }
}
