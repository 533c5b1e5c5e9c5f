package org.naklab.lab.replica.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class QuoteLagTest {
    private final List<Period> periods = new ArrayList<>();
    private final QuoteLag lag =
            new QuoteLag((beginNs, endNs, maxDifference) -> periods.add(new Period(beginNs, endNs, maxDifference)));

    private record Period(long beginNs, long endNs, long maxDifference) {}

    @Test
    void shouldKeepTheLargestDifferenceOfAPeriod() {
        assertThat(lag.onQuote(new Quote(100, 110), 0, 0)).isTrue();
        lag.onQuote(new Quote(101, 110), 10, 50);
        lag.onQuote(new Quote(101, 117), 20, 60);
        lag.onQuote(new Quote(102, 117), 80, 90);
        assertThat(periods).as("both changes were under way at once").containsExactly(new Period(10, 60, 7));
        lag.end();
        assertThat(periods).containsExactly(new Period(10, 60, 7), new Period(80, 90, 1));
    }

    @Test
    void shouldNotTakeTheSameQuoteForAChange() {
        assertThat(lag.onQuote(Quote.EMPTY, 0, 5)).isFalse();
        assertThat(lag.onQuote(new Quote(100, 110), 10, 15)).isTrue();
        assertThat(lag.onQuote(new Quote(100, 110), 20, 90)).isFalse();
        lag.end();
        assertThat(periods).containsExactly(new Period(10, 15, 0));
    }

    @Test
    void shouldEndWhenTheExchangeReturnsToWhatTheServiceHas() {
        lag.onQuote(new Quote(100, 110), 0, 0);
        lag.onQuote(new Quote(105, 110), 10, 40);
        lag.onQuote(new Quote(100, 110), 20, 45);
        lag.end();
        assertThat(periods)
                .as("and begins when the old change comes in")
                .containsExactly(new Period(10, 20, 5), new Period(40, 45, 5));
    }

    @Test
    void shouldTellOfNoPeriodWithoutALength() {
        lag.onQuote(new Quote(100, 110), 10, 10);
        lag.onQuote(new Quote(101, 110), 10, 10);
        lag.end();
        assertThat(periods).isEmpty();
    }

    @Test
    void shouldCompareTheSidesThatBothHave() {
        assertThat(new Quote(100, 110).difference(new Quote(103, 104))).isEqualTo(6);
        assertThat(new Quote(100, 110).difference(new Quote(93, 110))).isEqualTo(7);
        assertThat(new Quote(100, Quote.NONE).difference(new Quote(Quote.NONE, 110)))
                .isZero();
        assertThat(Quote.EMPTY.difference(new Quote(100, 110))).isZero();
    }
}
