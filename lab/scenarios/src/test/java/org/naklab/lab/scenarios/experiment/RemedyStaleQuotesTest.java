package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.records.latency.StaleQuotesRecord;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RemedyStaleQuotesTest {
    @Test
    void shouldSumUpThePeriodsAndTakeTheLongestOfAllRuns() {
        assertThat(RemedyStaleQuotes.ofRecords(List.of(
                        new StaleQuotesRecord(100, 5, 3, 400.5, 150.5, 7, 0.01),
                        new StaleQuotesRecord(100, 2, 1, 99.5, 90, 3, 0.25))))
                .hasValue(new RemedyStaleQuotes(2, 4, 500, 150.5, 0.25));
    }

    @Test
    void shouldKnowNothingOfRunsThatMeasuredNothing() {
        assertThat(RemedyStaleQuotes.ofRecords(List.of())).isEmpty();
    }
}
