package org.naklab.lab.doctor;

import java.util.List;
import org.naklab.lab.LabException;
import org.naklab.lab.containers.MulticastPreflight;

/** Whether multicast crosses a bridge of the engine. */
final class MulticastTrial implements Trial {
    private static final String NAME = "Docker multicast";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Finding> examine(Workbench bench) {
        try {
            MulticastPreflight.check(bench.network());
            return List.of(Finding.yes(NAME, "datagrams crossed a bridge of the engine"));
        } catch (LabException e) {
            return List.of(Finding.no(
                    NAME,
                    String.valueOf(e.getMessage()),
                    "look at the engine's firewall (iptables --list FORWARD) and at snooping"
                            + " (/sys/class/net/BRIDGE/bridge/multicast_snooping)"));
        }
    }
}
