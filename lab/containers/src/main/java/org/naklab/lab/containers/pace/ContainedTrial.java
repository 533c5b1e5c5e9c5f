package org.naklab.lab.containers.pace;

import java.util.List;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.HelperProcess;
import org.naklab.lab.containers.PrivateLibraries;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;

/**
 * Binds late in a container of its own. The limit comes when the process in it is ready: a JVM that starts reads a thousand times and
 * more where the image's files are not in memory, and would wait for each.
 */
final class ContainedTrial implements ReadTrial {
    private final String device;

    /** @param device path of the device file of the disk behind the engine's volumes */
    ContainedTrial(String device) {
        this.device = device;
    }

    /** Returns the longest duration of a trial, ns. */
    static long longestNs() {
        return 2 * HelperProcess.TIMEOUT_NS + Docker.TIMEOUT_NS;
    }

    @Override
    public Bind bind(ReadThrottle pace) {
        EvictionProbe.Config config = new EvictionProbe.Config(ContainerEnvironment.JOURNAL, pace.firstWaitMs(), null);
        List<String> options = List.of("--network", "none", "--volume", ContainerEnvironment.JOURNAL);
        try (HelperProcess probe = HelperProcess.start(
                "eviction-probe",
                EvictionProbe.class,
                config,
                options,
                PrivateLibraries.ENTRY,
                PrivateLibraries.jvmArguments())) {
            ReadLimit.set(probe.container() + "-limit", probe.container(), device, pace.readsPerSecond());
            YieldMeasurement bound =
                    probe.ask(ControlCommand.BIND, ProcessEvent.Bound.class).measurement();
            return new Bind(bound.majorFaults(), bound.durationNs());
        }
    }
}
