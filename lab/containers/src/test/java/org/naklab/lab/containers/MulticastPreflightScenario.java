package org.naklab.lab.containers;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.naklab.lab.core.LabException;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;

@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class MulticastPreflightScenario {
    private final String name = "naklab-test-" + ProcessHandle.current().pid() + '-' + System.nanoTime();
    private final List<String> networks = List.of(name + "-a", name + "-b");

    @BeforeEach
    void create() {
        networks.forEach(
                network -> Docker.run("network", "create", "--label", ContainerEnvironment.LABEL + "=test", network));
    }

    @AfterEach
    void remove() {
        networks.forEach(network -> Docker.run("network", "rm", network));
    }

    @Test
    void shouldPassWhereMulticastCrosses() {
        assertThatCode(() -> MulticastPreflight.check(networks.get(0))).doesNotThrowAnyException();
    }

    /** From one network to another nothing is forwarded, which is what a network without multicast looks like. */
    @Test
    void shouldSayInOneLineWhereItDoesNot() {
        assertThatThrownBy(() -> MulticastPreflight.check(networks.get(0), networks.get(1)))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("multicast does not cross the network " + networks.get(0) + ": none of 20")
                .hasMessageNotContaining("\n");
    }
}
