package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.description.DescribedKind;
import org.naklab.lab.containers.ContainerFaultKinds;
import org.naklab.lab.core.Json;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FaultsCommandTest {
    private static List<DescribedKind> kinds() {
        return Stream.<DescribedKind>concat(FaultKinds.onClassPath().all().stream(), ContainerFaultKinds.all().stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldListAndDescribeEveryKind(DescribedKind kind) {
        assertThat(CommandLineRun.of("faults").outLines())
                .anyMatch(line -> line.startsWith("  " + kind.name() + "  ")
                        && line.endsWith(kind.description().summary()));
        CommandLineRun detail = CommandLineRun.of("faults", kind.name());
        assertThat(detail.exitCode()).isZero();
        assertThat(detail.out())
                .contains(
                        kind.privileges(),
                        kind.description().proof(),
                        kind.description().example());
        assertThat(kind.description().parameters()).allSatisfy(parameter -> assertThat(detail.outLines())
                .anyMatch(
                        line -> line.startsWith("  " + parameter.word() + "  ") && line.contains(parameter.meaning())));
    }

    @Test
    void shouldWriteTheDocument() throws JsonProcessingException {
        JsonNode document = Json.parse(CommandLineRun.of("faults", "--json").out());
        assertThat(document.fieldNames()).toIterable().containsExactly("faults");
        List<String> names = new ArrayList<>();
        document.path("faults").forEach(fault -> {
            names.add(fault.path("kind").asText());
            assertThat(fault.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "kind",
                            "summary",
                            "acts",
                            "on",
                            "parameters",
                            "privileges",
                            "proof",
                            "example",
                            "scenarios");
        });
        assertThat(names)
                .containsExactlyElementsOf(
                        kinds().stream().map(DescribedKind::name).toList());
    }

    @Test
    void shouldNameTheScenariosOfEveryKindThatTheyInject() throws JsonProcessingException {
        JsonNode faults =
                Json.parse(CommandLineRun.of("faults", "--json").out()).path("faults");
        for (JsonNode fault : faults) {
            // A soak has no containers and no customers.
            boolean isOfSoak = !fault.path("acts").asText().equals("container")
                    && !fault.path("on").asText().equals("customers");
            assertThat(fault.path("scenarios").toString().contains("\"soak\""))
                    .as(fault.path("kind").asText())
                    .isEqualTo(isOfSoak);
            assertThat(fault.path("scenarios").toString().contains("\"masked\""))
                    .as(fault.path("kind").asText())
                    .isEqualTo(Set.of("datagram-loss", "lazy-binding", "rate-limit-yield", "stall")
                            .contains(fault.path("kind").asText()));
        }
    }

    @Test
    void shouldWriteOneKind() throws JsonProcessingException {
        JsonNode faults = Json.parse(
                        CommandLineRun.of("faults", "slow-callback", "--json").out())
                .path("faults");
        assertThat(faults).hasSize(1);
        JsonNode fault = faults.path(0);
        assertThat(fault.path("scenarios").toString()).contains("\"slow-callback\"");
        assertThat(fault.path("acts").asText()).isEqualTo("process");
        assertThat(fault.path("parameters").findValuesAsText("name"))
                .containsExactly("callback", "delayUs", "probability", "maxCalls");
        JsonNode delay = fault.path("parameters").path(1);
        assertThat(delay.path("option").asText()).isEqualTo("delay");
        assertThat(delay.path("unit").asText()).isEqualTo("us");
        assertThat(delay.path("max").asLong()).isEqualTo(1_000_000);
        assertThat(delay.path("required").asBoolean()).isTrue();
        assertThat(fault.path("parameters").path(3).path("default").asText()).isEqualTo("1000");
        assertThat(fault.path("parameters").path(0).path("inRun").asText()).isEqualTo("OrderBookEvents");
    }
}
