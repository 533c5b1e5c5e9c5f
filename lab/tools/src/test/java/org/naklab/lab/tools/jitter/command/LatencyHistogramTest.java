package org.naklab.lab.tools.jitter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.terminal.Terminal;

@Timeout(60)
final class LatencyHistogramTest {
    private final Histogram ns = new Histogram(3);

    @Test
    void shouldCountEachLatencyOnceBetweenRoundFigures() {
        ns.recordValueWithCount(120, 1_000_000);
        ns.recordValueWithCount(950, 20);
        ns.recordValueWithCount(3_000, 7);
        ns.recordValueWithCount(1_200_000, 1);

        List<LatencyHistogram.Bucket> buckets = new LatencyHistogram(ns).buckets();
        assertThat(buckets.stream().mapToLong(LatencyHistogram.Bucket::count).sum())
                .isEqualTo(ns.getTotalCount());
        assertThat(buckets.get(0).count()).isEqualTo(1_000_000);
        assertThat(buckets.get(buckets.size() - 1).count()).isEqualTo(1);
        for (int i = 1; i < buckets.size(); i++) {
            assertThat(buckets.get(i).fromUs()).isEqualTo(buckets.get(i - 1).toUs());
        }
        assertThat(buckets).hasSize(13);
    }

    @Test
    void shouldShowOneLateMessageBesideAMillion() {
        assertThat(LatencyHistogram.bar(1_000_000, 1_000_000)).hasSize(30);
        assertThat(LatencyHistogram.bar(1, 1_000_000)).hasSizeBetween(1, 2);
        assertThat(LatencyHistogram.bar(0, 1_000_000)).isBlank();
        assertThat(LatencyHistogram.bar(1_000, 1_000_000)).hasSize(15);
    }

    @Test
    void shouldPrintNothingWrongWithoutAMessage() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        new LatencyHistogram(ns).print(Terminal.of(stream, stream), 50);
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    }

    @Test
    void shouldPrintARowForEachStretch() {
        ns.recordValueWithCount(1_500, 3);
        ns.recordValueWithCount(6_000, 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        new LatencyHistogram(ns).print(Terminal.of(stream, stream), 50);
        assertThat(out.toString(StandardCharsets.UTF_8).lines().map(String::strip))
                .containsExactly(
                        "us  messages  logarithmic",
                        "1 to 2         3  " + "█".repeat(30),
                        "2 to 5         0",
                        "5 to 10         1  " + "█".repeat(15));
    }
}
