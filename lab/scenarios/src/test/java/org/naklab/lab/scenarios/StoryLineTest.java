package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The run's record has a story in lines, whose form readers know. */
final class StoryLineTest {
    @Test
    void shouldHaveTheHeadOnTheFirstLineAndTheTextBelowEachOther() {
        assertThat(StoryLine.sentence("why", "it waited,", "and nobody came").lines())
                .containsExactly("why      it waited,", "         and nobody came");
    }

    @Test
    void shouldPutASentenceTogether() {
        assertThat(StoryLine.sentence("why", "it waited,", "and nobody came").text())
                .isEqualTo("it waited, and nobody came");
    }
}
