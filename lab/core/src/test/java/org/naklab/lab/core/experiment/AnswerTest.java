package org.naklab.lab.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.core.Json;

@Timeout(10)
final class AnswerTest {
    /** Users and their programs read these words. */
    @Test
    void shouldKeepTheWordsOfAllDocuments() {
        assertThat(Answer.values())
                .extracting(Answer::label)
                .containsExactly(
                        "reference",
                        "no difference",
                        "not enough runs",
                        "helps",
                        "hurts",
                        "not in effect",
                        "failed",
                        "less often",
                        "more often",
                        "fewer",
                        "more",
                        "no-difference-seen",
                        "removes the cause",
                        "hides the symptom",
                        "does not help",
                        "not known");
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteItsLabelAndReadItAgain(Answer answer) {
        String written = Json.line(answer);
        assertThat(written).isEqualTo('"' + answer.label() + '"');
        assertThat(answer).hasToString(answer.label());
        assertThat(Json.fromLine(written, Answer.class)).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "GOOD, good, HELPS FEWER REMOVES_THE_CAUSE",
        "BAD, bad, HURTS MORE DOES_NOT_HELP",
        "NEUTRAL, '', REFERENCE NO_DIFFERENCE LESS_OFTEN MORE_OFTEN NO_DIFFERENCE_SEEN",
        "DOUBT, doubt, NOT_ENOUGH_RUNS NOT_IN_EFFECT FAILED HIDES_THE_SYMPTOM NOT_KNOWN",
    })
    void shouldMeanTheSameInEveryExperiment(Answer.Meaning meaning, String style, String answers) {
        assertThat(meaning.style()).isEqualTo(style);
        assertThat(Arrays.stream(Answer.values()).filter(answer -> answer.meaning() == meaning))
                .extracting(Answer::name)
                .containsExactly(answers.split(" ", -1));
    }
}
