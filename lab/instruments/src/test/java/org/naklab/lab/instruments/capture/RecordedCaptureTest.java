package org.naklab.lab.instruments.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.host.CapturedDatagrams;

/** A capture that was recorded beside the lab's own bins, by {@link FeedCaptureTest}. */
@Timeout(60)
class RecordedCaptureTest {
    @Test
    void shouldHaveTheBinsThatTheLabRecorded() throws IOException, URISyntaxException {
        RecordedBin.assertSame(recorded(), CapturedDatagrams.read(file("capture.pcapng")));
    }

    /** A datagram less, or one in the bin beside, is seen. */
    @Test
    void shouldDifferWhenADatagramIsMissingOrLate() throws IOException, URISyntaxException {
        List<RecordedBin> recorded = recorded();
        List<CapturedDatagrams.Datagram> captured = CapturedDatagrams.read(file("capture.pcapng"));
        CapturedDatagrams.Datagram first = captured.get(0);
        List<CapturedDatagrams.Datagram> late = new ArrayList<>(captured);
        late.set(
                0,
                new CapturedDatagrams.Datagram(
                        first.timeNs() + 10_000_000, first.group(), first.port(), first.bytes(), first.kept()));

        assertThatThrownBy(() -> RecordedBin.assertSame(recorded, captured.subList(1, captured.size())))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> RecordedBin.assertSame(recorded, late)).isInstanceOf(AssertionError.class);
        assertThat(late).hasSameSizeAs(captured);
    }

    private static List<RecordedBin> recorded() throws IOException, URISyntaxException {
        return Files.readAllLines(file("bins.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .map(cells ->
                        new RecordedBin(Long.parseLong(cells[0]), Long.parseLong(cells[1]), Long.parseLong(cells[2])))
                .toList();
    }

    private static Path file(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(RecordedCaptureTest.class.getResource(name))
                .toURI());
    }
}
