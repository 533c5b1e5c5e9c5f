package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

final class FailedTestsTest {
    private static final LauncherConfig BARE = LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .build();

    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldSayWhatTheMachineDidMeanwhile() {
        run(Broken.class);
        assertThat(lines)
                .singleElement()
                .asString()
                .matches(
                        "breaks\\(\\) of .*Broken failed after [0-9.]+ s; the hypervisor took [0-9.]+ % of the CPUs meanwhile");
    }

    @Test
    void shouldSayNothingOfATestThatPasses() {
        run(Sound.class);
        assertThat(lines).isEmpty();
    }

    private void run(Class<?> tests) {
        Launcher launcher = LauncherFactory.create(BARE);
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(tests))
                        .build(),
                new FailedTests(lines::add));
    }

    static final class Broken {
        @Test
        void breaks() {
            fail("always");
        }
    }

    static final class Sound {
        @Test
        void holds() {
            assertThat(true).isTrue();
        }
    }
}
