package org.naklab.lab.instruments.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.naklab.testing.host.CapturedDatagrams;

/**
 * What the lab's instrument of rates recorded of about 10 ms.
 *
 * @param beginNs the reading before, nanoseconds since 1970
 * @param endNs the reading, nanoseconds since 1970
 * @param bytesPerSecond as recorded: the arrivals are scaled to 10 ms, and rounded down
 */
record RecordedBin(long beginNs, long endNs, long bytesPerSecond) {
    private static final double WINDOW_NS = 1e7;
    private static final int WINDOWS_PER_SECOND = 100;

    /** Returns how many datagrams a test sends in a bin: a few, and in the middle a burst. */
    static int datagrams(int bin) {
        return bin >= 20 && bin < 24 ? 8 : bin % 5;
    }

    /** Checks that a capture has in each bin the bytes that the lab recorded, and none elsewhere. */
    static void assertSame(List<RecordedBin> recorded, List<CapturedDatagrams.Datagram> captured) {
        assertThat(recorded).isNotEmpty();
        assertThat(recorded.stream().map(bin -> bin.of(captured)).toList()).isEqualTo(recorded);
        assertThat(captured)
                .hasSize(IntStream.range(0, recorded.size())
                        .map(RecordedBin::datagrams)
                        .sum());
    }

    private RecordedBin of(List<CapturedDatagrams.Datagram> captured) {
        long bytes = captured.stream()
                .filter(datagram -> datagram.timeNs() > beginNs && datagram.timeNs() <= endNs)
                .mapToLong(CapturedDatagrams.Datagram::bytes)
                .sum();
        long bytesOfWindow = (long) (bytes * WINDOW_NS / (endNs - beginNs));
        return new RecordedBin(beginNs, endNs, bytesOfWindow * WINDOWS_PER_SECOND);
    }
}
