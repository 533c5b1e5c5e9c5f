package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.core.pace.ProcessPace.Stage;
import org.naklab.lab.process.ProcessEvent;

@Timeout(60)
final class PacesTest {
    private static final String SERVICE =
            "{\"event\": \"progress\", \"atNs\": 7, \"name\": \"mds\", \"role\": \"%s\", \"received\": 30, \"journaled\": 10, \"faults\": {}, "
                    + "\"recent\": {\"applied\": 20, \"latency\": {\"count\": 4, \"p50Us\": 1.5, \"p99Us\": 2.5, \"p999Us\": 3.5}}}";

    private final List<ProcessPace> seen = new ArrayList<>();
    private final Paces paces = new Paces(List.of(seen::add));

    private void report(String process, String line) {
        paces.onProgress(process, (ProcessEvent.Progress) ProcessEvent.parse(line));
    }

    @Test
    void shouldTellHowFarEachProcessIs() {
        report("exchange", "{\"event\": \"progress\", \"atNs\": 5, \"published\": 40, \"faults\": {}}");
        report("mds", String.format(SERVICE, "SERVICE"));
        report("gateway-1", String.format(SERVICE, "GATEWAY"));

        ProcessPace.Latency latency = new ProcessPace.Latency(4, 1.5, 2.5, 3.5);
        assertThat(seen)
                .containsExactly(
                        new ProcessPace(5, "exchange", Map.of(Stage.SENT, 40L), null),
                        new ProcessPace(
                                7,
                                "mds",
                                Map.of(Stage.RECEIVED, 30L, Stage.APPLIED, 20L, Stage.JOURNALED, 10L),
                                latency),
                        new ProcessPace(7, "gateway-1", Map.of(Stage.RECEIVED, 30L, Stage.APPLIED, 20L), latency));
    }

    @Test
    void shouldTellNothingOfCustomers() {
        report("customers", "{\"event\": \"progress\", \"atNs\": 5}");

        assertThat(seen).isEmpty();
    }
}
