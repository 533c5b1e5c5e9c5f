package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadLabelsTest {
    private final ThreadLabels labels = new ThreadLabels();

    @Test
    void shouldTellThreadsOfTheSameNameApart() {
        assertThat(labels.of(7, "receiver")).isEqualTo("receiver");
        assertThat(labels.of(9, "receiver")).isEqualTo("receiver#9");
        assertThat(labels.of(8, "reporter")).isEqualTo("reporter");
    }

    @Test
    void shouldKeepALabel() {
        labels.of(7, "receiver");
        labels.of(9, "receiver");

        assertThat(labels.of(9, "receiver")).isEqualTo("receiver#9");
        assertThat(labels.of(7, "receiver")).isEqualTo("receiver");
    }
}
