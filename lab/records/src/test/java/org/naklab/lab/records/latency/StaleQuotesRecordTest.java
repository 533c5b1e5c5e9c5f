package org.naklab.lab.records.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;

@Timeout(60)
final class StaleQuotesRecordTest {
    @ParameterizedTest
    @CsvSource({"0, 0.00", "0.09, 0.09", "0.1, 0.10", "12, 12.00", "0.125, 0.125", "0.0001, 0.0001", "1.23456, 1.2346"})
    void shouldWriteADifferenceOfPricesWithAsManyDigitsAsItHas(double difference, String text) {
        assertThat(new StaleQuotesRecord(1_300, 1_079, 67, 4_062.7, 33.77, 5, difference).sentence())
                .isEqualTo("the best bid or offer of the service was stale for 33.8 ms at most and by " + text
                        + " at most; 67 of 1,079 periods were longer than 10 ms");
    }

    @Test
    void shouldTellThatNothingWasStale() {
        assertThat(new StaleQuotesRecord(1_300, 0, 0, 0, 0, 0, 0).sentence())
                .isEqualTo("the best bid and offer of the service were never stale for 1 ms");
    }

    @Test
    void shouldWriteTheCurvesAsTheFileHasThem() {
        LatencyFile file = new LatencyFile(List.of(new LatencyFile.Subscriber(
                "mds",
                List.of(new LatencyFile.Point(99.9, 6_713.343)),
                List.of(),
                100_000_000,
                List.of(new LatencyFile.Interval(5, 200, 731.647, 7_069.695)))));

        assertThat(Json.line(file))
                .isEqualTo("{\"subscribers\":[{\"name\":\"mds\",\"dueToBook\":[{\"percentile\":99.9,"
                        + "\"latencyUs\":6713.343}],\"dueToJournaled\":[],\"intervalNs\":100000000,"
                        + "\"intervals\":[{\"atNs\":5,\"count\":200,\"p50Us\":731.647,\"maxUs\":7069.695}]}]}");
        assertThat(Json.fromLine(Json.line(file), LatencyFile.class)).isEqualTo(file);
    }

    @Test
    void shouldNotTellOfCustomersThatWereNotSlow() {
        CustomersRecord customers = Json.fromLine(
                "{\"server\":\"gateway-1\",\"orders\":1000,\"quotes\":200,\"sameBooks\":1000}", CustomersRecord.class);

        assertThat(customers.customers()).isEqualTo(1_200);
        assertThat(customers.figures())
                .isEqualTo("customers of gateway-1: 1,200, due to client p50 0.000 ms, p99.9 0.000 ms, max 0.000 ms;"
                        + " 1,000 of 1,000 order books are the server's");
        assertThat(Json.line(customers)).doesNotContain("\"failure\"", "\"staleQuotes\"", "\"customers\"");
    }
}
