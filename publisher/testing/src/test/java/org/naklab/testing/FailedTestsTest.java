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

    private final List<String> counted = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldCountATestThatIsRunAgainAndPasses() {
        OnceBroken.isBroken = true;
        run(OnceBroken.class);
        OnceBroken.isBroken = false;
        run(OnceBroken.class);
        assertThat(counted).containsExactly("breaks() of " + OnceBroken.class.getName() + ": 2 runs, good");
    }

    @Test
    void shouldCountATestThatFailsAgain() {
        run(Broken.class);
        run(Broken.class);
        assertThat(counted).containsExactly("breaks() of " + Broken.class.getName() + ": 2 runs, not good");
        assertThat(lines)
                .hasSize(2)
                .allMatch(
                        line -> line.matches(
                                "breaks\\(\\) of .*Broken failed after [0-9.]+ s; the hypervisor took [0-9.]+ % of the CPUs meanwhile"));
    }

    @Test
    void shouldNotCountATestThatPassesTwice() {
        run(Sound.class);
        run(Sound.class);
        assertThat(counted).isEmpty();
        assertThat(lines).isEmpty();
    }

    /** With a listener of its own, as the build does for each run. */
    private void run(Class<?> tests) {
        Launcher launcher = LauncherFactory.create(BARE);
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(tests))
                        .build(),
                new FailedTests(
                        (test, runs, isGood) ->
                                counted.add(test + ": " + runs + " runs, " + (isGood ? "good" : "not good")),
                        lines::add));
    }

    static final class OnceBroken {
        private static boolean isBroken;

        @Test
        void breaks() {
            assertThat(isBroken).isFalse();
        }
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
