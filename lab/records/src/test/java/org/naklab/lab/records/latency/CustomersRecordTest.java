package org.naklab.lab.records.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.Json;

final class CustomersRecordTest {
    private static final String HOP =
            "{\"count\":1000,\"p50Us\":120.0,\"p99Us\":900.0,\"p999Us\":5700.0,\"maxUs\":570900.0}";

    @Test
    void shouldTellHowOldAPriceBecameForCustomersOfTheServiceAndOfOthers() {
        assertThat(CustomersRecord.sentence(List.of(saw("mds", 570.9), saw("gateway-1", 27.8), saw("gateway-2", 3))))
                .contains("customers of the service saw prices that were up to 570.9 ms old;"
                        + " those of gateway-1 saw some up to 27.8 ms old; those of gateway-2 did not (3.0 ms)");
    }

    @Test
    void shouldNotCallAPriceOldThatWasNot() {
        assertThat(CustomersRecord.sentence(List.of(saw("mds", 4.2), saw("gateway-1", 3))))
                .contains("customers of the service saw no price that was more than 4.2 ms old;"
                        + " those of gateway-1 none more than 3.0 ms");
    }

    @Test
    void shouldTellOfGatewaysAloneWhenTheServiceHasNoCustomers() {
        assertThat(CustomersRecord.sentence(List.of(saw("gateway-1", 27.8))))
                .contains("customers of gateway-1 saw prices that were up to 27.8 ms old");
        assertThat(CustomersRecord.sentence(List.of(unmeasured()))).isEmpty();
    }

    @Test
    void shouldTellWhatBecameOfTheSlowOnes() {
        assertThat(unmeasured().figures())
                .isEqualTo("customers of mds: 9, due to client p50 0.120 ms, p99.9 5.70 ms, max 571 ms;"
                        + " 7 of 8 order books are the server's; 40 best prices skipped; warned 3, disconnected 2");
    }

    private static CustomersRecord saw(String server, double longestMs) {
        return Json.fromLine(
                "{\"server\":\"" + server + "\",\"staleQuotes\":{\"periods\":5,\"longestMs\":" + longestMs + "}}",
                CustomersRecord.class);
    }

    private static CustomersRecord unmeasured() {
        return Json.fromLine(
                "{\"server\":\"mds\",\"orders\":2,\"lateJoiners\":3,\"datagrams\":1,\"quotes\":3,\"sameBooks\":7,"
                        + "\"otherBooks\":1,\"warned\":3,\"disconnected\":2,\"skippedQuotes\":40,\"dueToClient\":" + HOP
                        + "}",
                CustomersRecord.class);
    }
}
