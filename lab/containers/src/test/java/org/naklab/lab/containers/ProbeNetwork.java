package org.naklab.lab.containers;

import java.util.List;
import org.naklab.lab.containers.probe.ProbeConfig;
import org.naklab.lab.containers.probe.ProbeReport;
import org.naklab.lab.containers.probe.ProbeSink;
import org.naklab.lab.containers.probe.ProbeSource;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;

/** A network of its own with a sender of numbered datagrams and two receivers. */
public final class ProbeNetwork implements AutoCloseable {
    public static final int DATAGRAMS = 1_000;
    private static final ProbeConfig CONFIG = new ProbeConfig("239.192.16.9", 20_900, DATAGRAMS, 2_000);
    /** The group and the port of the datagrams. */
    public static final String DESTINATION = CONFIG.group() + ':' + CONFIG.port();

    private final String name = "naklab-test-" + ProcessHandle.current().pid() + '-' + System.nanoTime();
    private final HelperProcess first;
    private final HelperProcess second;
    private final HelperProcess source;

    public ProbeNetwork() {
        Docker.run("network", "create", "--label", ContainerEnvironment.LABEL + "=test", name);
        first = start("sink", ProbeSink.class);
        second = start("sink", ProbeSink.class);
        source = start("source", ProbeSource.class);
    }

    private HelperProcess start(String tool, Class<?> mainClass) {
        return HelperProcess.start(tool, mainClass, CONFIG, List.of("--network", name), List.of());
    }

    public String firstReceiver() {
        return first.container();
    }

    public String sender() {
        return source.container();
    }

    /** Sends all datagrams once. */
    public void send() {
        ProcessEvent unused = source.ask(ControlCommand.SEND, ProcessEvent.Sent.class);
    }

    /** What came at the first receiver since the last report. */
    public ProbeReport atFirst() {
        return report(first);
    }

    /** What came at the second receiver since the last report. */
    public ProbeReport atSecond() {
        return report(second);
    }

    private static ProbeReport report(HelperProcess sink) {
        return sink.ask(ControlCommand.REPORT, ProcessEvent.Report.class).as(ProbeReport.class);
    }

    @Override
    public void close() {
        source.close();
        second.close();
        first.close();
        Docker.run("network", "rm", name);
    }
}
