package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SimulateRepairTest {
    @Test
    void shouldPrintTheSameForTheSameSeed() {
        String[] arguments =
                "simulate repair --receivers 40 --loss 0.2% --correlated 0.1% --slow 1 --stall 120ms --seed 5"
                        .split(" ");
        CommandLineRun first = CommandLineRun.of(arguments);

        assertThat(first.exitCode()).isZero();
        assertThat(first.out())
                .contains("NAKs sent")
                .isEqualTo(CommandLineRun.of(arguments).out());
        arguments[arguments.length - 1] = "6";
        assertThat(CommandLineRun.of(arguments).out()).isNotEqualTo(first.out());
    }

    @Test
    void shouldNameTheSettingsThatPreventAStorm() throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "simulate repair --receivers 100 --slow 1 --stall 120ms --profile aeron --read-time 40us --json"
                        .split(" "));
        JsonNode document = new ObjectMapper().readTree(run.out());

        assertThat(document.at("/figures/storm").toString()).contains("HEALTHY_RECEIVERS_LOSE");
        assertThat(document.at("/figures/recovery/p999Us").asDouble()).isPositive();
        assertThat(document.at("/remedies").findValuesAsText("setting")).contains("receive buffers 8 MiB");
    }

    @Test
    void shouldTakeSettingsFromTheCommandLine() {
        String group = "simulate repair --receivers 1 --loss 5% --nak-backoff 2ms";
        assertThat(CommandLineRun.of(group.split(" ")).out())
                .isNotEqualTo(CommandLineRun.of((group + " --ignore 500ms --suppress 1s").split(" "))
                        .out());
    }
}
