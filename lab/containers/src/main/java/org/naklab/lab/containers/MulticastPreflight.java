package org.naklab.lab.containers;

import java.util.List;
import org.naklab.lab.containers.probe.ProbeConfig;
import org.naklab.lab.containers.probe.ProbeReport;
import org.naklab.lab.containers.probe.ProbeSink;
import org.naklab.lab.containers.probe.ProbeSource;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;

/** Checks whether multicast crosses a network of the engine: one container sends datagrams to another. */
public final class MulticastPreflight {
    private static final ProbeConfig PROBE = new ProbeConfig("239.192.16.7", 20_700, 20, 200);

    private MulticastPreflight() {}

    /**
     * Sends.
     *
     * @param network its name or id
     * @throws LabException when nothing arrives, with what to do
     */
    public static void check(String network) {
        check(network, network);
    }

    /** Checks with the receiver in another network, where nothing may arrive. */
    static void check(String network, String receiversNetwork) {
        try (HelperProcess sink = start("preflight-sink", ProbeSink.class, receiversNetwork);
                HelperProcess source = start("preflight-source", ProbeSource.class, network)) {
            ProcessEvent unused = source.ask(ControlCommand.SEND, ProcessEvent.Sent.class);
            ProbeReport report =
                    sink.ask(ControlCommand.REPORT, ProcessEvent.Report.class).as(ProbeReport.class);
            if (report.count().distinct() == 0) {
                throw new LabException("multicast does not cross the network " + network + ": none of "
                        + PROBE.datagrams() + " datagrams to " + PROBE.group()
                        + " arrived in another container; use a bridge network of one engine (overlay networks carry "
                        + "no multicast), and check its firewall; see docs/how-to/docker.md");
            }
        }
    }

    private static HelperProcess start(String name, Class<?> mainClass, String network) {
        return HelperProcess.start(name, mainClass, PROBE, List.of("--network", network), List.of());
    }
}
