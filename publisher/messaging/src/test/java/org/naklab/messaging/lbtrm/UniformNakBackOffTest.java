package org.naklab.messaging.lbtrm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UniformNakBackOffTest {
    private static final int SAMPLES = 10_000;
    private static final long MS = 1_000_000;

    @Test
    void shouldSpreadFirstNaksOver25To75Ms() {
        UniformNakBackOff backOff = new UniformNakBackOff(7);

        assertUniform(
                LongStream.generate(backOff::generateDelayNs).limit(SAMPLES).toArray(), 25 * MS, 75 * MS);
    }

    @Test
    void shouldSpreadRepeatedNaksOver100To300Ms() {
        UniformNakBackOff backOff = new UniformNakBackOff(7);

        assertUniform(LongStream.generate(backOff::retryDelayNs).limit(SAMPLES).toArray(), 100 * MS, 300 * MS);
    }

    @Test
    void shouldRepeatWithTheSameSeedOnly() {
        assertThat(new UniformNakBackOff(7).generateDelayNs()).isEqualTo(new UniformNakBackOff(7).generateDelayNs());
        assertThat(new UniformNakBackOff(7).generateDelayNs()).isNotEqualTo(new UniformNakBackOff(8).generateDelayNs());
    }

    /** Every tenth of the range has its share, within a fifth: a fixed seed cannot fail by chance. */
    private static void assertUniform(long[] delaysNs, long fromNs, long toNs) {
        int[] tenths = new int[10];
        for (long delayNs : delaysNs) {
            assertThat(delayNs).isBetween(fromNs, toNs);
            tenths[(int) Math.min(9, 10 * (delayNs - fromNs) / (toNs - fromNs))]++;
        }
        assertThat(tenths).doesNotContain(0);
        for (int count : tenths) {
            assertThat(count).isBetween(SAMPLES / 10 * 4 / 5, SAMPLES / 10 * 6 / 5);
        }
    }
}
