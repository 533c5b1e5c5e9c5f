package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MedianTest {
    @Test
    void shouldTakeTheMiddleValueOrTheMeanOfTwo() {
        assertThat(Median.of(DoubleStream.of(7))).isEqualTo(7);
        assertThat(Median.of(DoubleStream.of(9, 1, 2))).isEqualTo(2);
        assertThat(Median.of(DoubleStream.of(9, 1, 4, 2))).isEqualTo(3);
    }
}
