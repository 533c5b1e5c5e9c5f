package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.LabException;

@Timeout(60)
final class DeploymentEnvironmentTest {
    private final List<String> steps = new ArrayList<>();

    @Test
    void shouldPrepareTheOuterFirstAndTakeItAwayLast() {
        try (DeploymentEnvironment both = environment("outer", false).around(environment("inner", false))) {
            both.prepare();
            both.onSettled();
            both.onFlowStarted();
            both.collect();
        }
        assertThat(steps)
                .containsExactly(
                        "outer prepared", "inner prepared",
                        "outer settled", "inner settled",
                        "outer flows", "inner flows",
                        "inner collected", "outer collected",
                        "inner closed", "outer closed");
    }

    @Test
    void shouldTakeTheOuterAwayIfTheInnerFails() {
        DeploymentEnvironment both = environment("outer", false).around(environment("inner", true));
        assertThatThrownBy(both::close).isInstanceOf(LabException.class);
        assertThat(steps).containsExactly("inner closed", "outer closed");
    }

    @Test
    void shouldBeItselfAroundNothing() {
        DeploymentEnvironment alone = environment("outer", false);
        assertThat(alone.around(DeploymentEnvironment.NONE)).isSameAs(alone);
    }

    private DeploymentEnvironment environment(String name, boolean isBroken) {
        return new DeploymentEnvironment() {
            @Override
            public void prepare() {
                steps.add(name + " prepared");
            }

            @Override
            public void onSettled() {
                steps.add(name + " settled");
            }

            @Override
            public void onFlowStarted() {
                steps.add(name + " flows");
            }

            @Override
            public void collect() {
                steps.add(name + " collected");
            }

            @Override
            public void close() {
                steps.add(name + " closed");
                if (isBroken) {
                    throw new LabException(name + " stays");
                }
            }
        };
    }
}
