package org.naklab.lab.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.naklab.lab.containers.Docker;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.ContainerEngine;

/** The doctor where there is an engine: whatever it finds, it finds all of it out, and leaves nothing. */
@Matrix
@ExtendWith(ContainerEngine.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class DoctorScenario {
    private static final String[] TRIED = {
        "Docker instruments", "Docker multicast", "Docker memory limit", "Docker read limit"
    };

    @Test
    void shouldTryWhatTheEngineCanDoAndLeaveNothing() {
        List<String> progress = new ArrayList<>();
        List<CheckResult> findings = DockerChecks.examine(progress::add);

        assertThat(findings)
                .extracting(CheckResult::name)
                .startsWith("Docker", "Docker cgroups", "Docker leftovers", "Docker image", "Docker kernel")
                .endsWith(TRIED);
        assertThat(progress).containsExactly(TRIED);
        assertThat(findings)
                .allSatisfy(finding -> assertThat(finding.advice().isEmpty()).isEqualTo(finding.ok()))
                .noneSatisfy(finding -> assertThat(finding.found()).contains("could not be tested"));
        String name = "name=naklab-doctor-" + ProcessHandle.current().pid();
        assertThat(Docker.run("ps", "--all", "--quiet", "--filter", name)).isEmpty();
        assertThat(Docker.run("network", "ls", "--quiet", "--filter", name)).isEmpty();
    }
}
