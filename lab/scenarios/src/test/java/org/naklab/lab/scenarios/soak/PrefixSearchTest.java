package org.naklab.lab.scenarios.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
final class PrefixSearchTest {
    @ParameterizedTest
    @CsvSource({"22, 22", "22, 1", "22, 0", "22, 13", "1, 1", "1, 0", "0, 0", "200, 117"})
    void shouldFindTheShortestBeginningThatFails(int size, int culprit) throws InterruptedException {
        List<Integer> tried = new ArrayList<>();
        int shortest = PrefixSearch.shortest(size, count -> {
            tried.add(count);
            return count >= culprit;
        });
        assertThat(shortest).isEqualTo(culprit);
        assertThat(tried).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(PrefixSearch.mostRuns(size));
    }
}
