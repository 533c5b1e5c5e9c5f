package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.ContainerFaultKinds;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ContainerFaultKindsTest {
    private static List<ContainerFaultKind> kinds() {
        return ContainerFaultKinds.all();
    }

    /** Each method of the API that arms a fault has a kind. */
    @Test
    void shouldHaveAKindForEachFault() {
        assertThat(kinds())
                .extracting(ContainerFaultKind::name)
                .containsExactly(
                        "container-kill",
                        "container-pause",
                        "full-disk",
                        "memory-limit",
                        "network-corruption",
                        "network-delay",
                        "network-duplication",
                        "network-loss",
                        "network-partition",
                        "network-reordering",
                        "slow-disk");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldBeDescribedWithAnExampleThatParses(ContainerFaultKind kind) {
        assertThat(kind.description().summary()).isNotBlank();
        assertThat(kind.description().proof()).isNotBlank();
        assertThat(kind.privileges()).isNotBlank();
        FaultSpec example = parse(kind.description().example(), kind);
        assertThat(example.kind()).isEqualTo(kind.name());
        assertThat(kind.description().parameters())
                .extracting(FaultParameter::name)
                .containsExactlyElementsOf(Arrays.stream(kind.parameterType().getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    /** A name stands for one kind, of processes or of containers. */
    @ParameterizedTest
    @MethodSource("kinds")
    void shouldHaveANameOfItsOwn(ContainerFaultKind kind) {
        assertThat(FaultKinds.onClassPath().all())
                .noneMatch(other -> other.name().equals(kind.name()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    network-loss:percent=101%            | percent must be from 0 to 100
                    network-loss                         | network-loss needs percent
                    network-loss:percent=1,direction=up  | network-loss
                    network-loss:percent=1,seed=x        | seed
                    network-delay:delay=11s              | delayMs must be from 1 to 10000: 11000
                    memory-limit:limit=5                 | limit: '5' has no unit; write 64MiB or 1GiB
                    full-disk:path=/journal              | full-disk needs most
                    slow-disk:perSecond=0                | perSecond must be
                    """)
    void shouldRefuseByName(String text, String message) {
        ContainerFaultKind kind =
                ContainerFaultKinds.find(FaultNotation.kindOf(text)).orElseThrow();
        assertThatThrownBy(() -> parse(text, kind))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"loss", "duplication", "corruption"})
    void shouldTakeASeed(String kind) {
        String text = "network-" + kind + ":percent=30%,seed=7";
        ContainerFaultKind found =
                ContainerFaultKinds.find(FaultNotation.kindOf(text)).orElseThrow();

        assertThat(parse(text, found).parametersAs(found.parameterType()).toString())
                .contains("seed=7");
    }

    private static FaultSpec parse(String text, ContainerFaultKind kind) {
        return FaultNotation.parse(text, kind, "usual", Set.of());
    }
}
