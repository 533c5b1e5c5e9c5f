package org.naklab.lab.scenarios.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.scenarios.Verdict;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PrefixSearchTest {
    private final List<Integer> tried = new ArrayList<>();
    private final List<Boolean> repeats = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"22, 22", "22, 1", "22, 0", "22, 13", "1, 1", "1, 0", "0, 0", "200, 117"})
    void shouldFindTheShortestBeginningThatFails(int size, int culprit) throws InterruptedException {
        PrefixSearch.Result result = PrefixSearch.search(size, () -> false, (count, isRepeat) -> {
            tried.add(count);
            repeats.add(isRepeat);
            return count >= culprit ? Verdict.FAIL : Verdict.PASS;
        });
        assertThat(result).isEqualTo(new PrefixSearch.Result(culprit, 0, true));
        assertThat(result.isCertain()).isTrue();
        assertThat(repeats).doesNotContain(true);
        assertThat(tried).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(PrefixSearch.mostTrials(size));
    }

    @Test
    void shouldRepeatAnInconclusiveRun() throws InterruptedException {
        PrefixSearch.Result result = PrefixSearch.search(1, () -> false, (count, isRepeat) -> {
            tried.add(count);
            repeats.add(isRepeat);
            return tried.size() < Experiment.ATTEMPTS ? Verdict.UNKNOWN : Verdict.FAIL;
        });
        assertThat(result).isEqualTo(new PrefixSearch.Result(0, 0, true));
        assertThat(tried).containsExactly(0, 0, 0);
        assertThat(repeats).containsExactly(false, true, true);
    }

    /** What never came to a verdict has not passed. */
    @Test
    void shouldNotBeCertainAfterInconclusiveRuns() throws InterruptedException {
        PrefixSearch.Result result =
                PrefixSearch.search(4, () -> false, (count, isRepeat) -> count >= 3 ? Verdict.FAIL : Verdict.UNKNOWN);
        assertThat(result.length()).isEqualTo(3);
        assertThat(result.inconclusive()).isEqualTo(1);
        assertThat(result.isCertain()).isFalse();
    }

    @Test
    void shouldEndTheSearchWhenItIsCancelled() throws InterruptedException {
        PrefixSearch.Result result = PrefixSearch.search(16, () -> tried.size() == 2, (count, isRepeat) -> {
            tried.add(count);
            return tried.size() == 1 ? Verdict.FAIL : Verdict.UNKNOWN;
        });
        assertThat(result).isEqualTo(new PrefixSearch.Result(8, 0, false));
        assertThat(result.isCertain()).isFalse();
        assertThat(tried).containsExactly(8, 4);
    }
}
