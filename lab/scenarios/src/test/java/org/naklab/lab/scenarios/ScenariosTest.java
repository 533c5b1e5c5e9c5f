package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ScenariosTest {
    @Test
    void shouldFindScenariosOfAllPackages() {
        assertThat(Scenarios.all())
                .extracting(Scenario::name)
                .contains("baseline", "mystery")
                .doesNotHaveDuplicates()
                .isSorted();
        assertThat(Scenarios.find("baseline")).isPresent();
        assertThat(Scenarios.find("nosuch")).isEmpty();
    }

    @Test
    void shouldSaySomethingAboutEach() {
        assertThat(Scenarios.all()).allSatisfy(scenario -> {
            assertThat(scenario.summary()).isNotBlank().doesNotEndWith(".");
            assertThat(scenario.fidelities()).isNotEmpty();
            assertThat(scenario.remedies()).contains(Remedy.NONE);
        });
    }
}
