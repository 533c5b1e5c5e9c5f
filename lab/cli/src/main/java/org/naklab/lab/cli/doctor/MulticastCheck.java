package org.naklab.lab.cli.doctor;

import java.util.List;
import org.naklab.lab.containers.MulticastPreflight;
import org.naklab.lab.core.LabException;

/** Checks that multicast crosses a bridge of the engine. */
final class MulticastCheck implements ContainerCheck {
    private static final String NAME = "Docker multicast";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<CheckResult> examine(DoctorSandbox bench) {
        try {
            MulticastPreflight.check(bench.network());
            return List.of(CheckResult.yes(NAME, "datagrams crossed a bridge network of the engine"));
        } catch (LabException e) {
            return List.of(CheckResult.no(
                    NAME,
                    String.valueOf(e.getMessage()),
                    "check the engine's firewall (iptables --list FORWARD) and IGMP snooping "
                            + "(/sys/class/net/BRIDGE/bridge/multicast_snooping)"));
        }
    }
}
