package org.naklab.lab.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Units;

/** Checks that a read throttle takes effect on the disk of the engine's volumes, by the same reads without and with it. */
final class ReadThrottleCheck implements ContainerCheck {
    private static final String NAME = "Docker read limit";
    private static final int READS = 40;
    private static final int LIMIT_PER_SECOND = 20;
    /** The kernel lets a few reads through before it begins to count. */
    private static final double TOLERANCE = 1.5;

    /** Reads past the page cache, and prints how many nanoseconds that took. */
    private static final String SCRIPT = "dd if=/dev/zero of=/journal/file bs=4k count=" + READS
            + " conv=fsync status=none && b=$(date +%s%N) && dd if=/journal/file of=/dev/null bs=4k iflag=direct"
            + " status=none && echo $(($(date +%s%N) - b))";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<CheckResult> examine(DoctorSandbox bench) {
        String device = BlockDevice.find();
        double free = perSecond(bench, "free-reads", List.of());
        List<String> throttle = List.of("--device-read-iops", device + ":" + LIMIT_PER_SECOND);
        return List.of(judge(device, free, perSecond(bench, "slow-reads", throttle)));
    }

    private static double perSecond(DoctorSandbox bench, String purpose, List<String> throttle) {
        List<String> options = new ArrayList<>(List.of("--volume", "/journal"));
        options.addAll(throttle);
        return perSecond(bench.run(purpose, options, SCRIPT));
    }

    static double perSecond(Docker.Result result) {
        String lastLine = result.lastLine();
        if (!result.succeeded() || !lastLine.matches("\\d{1,18}")) {
            throw new LabException("reads could not be measured: " + lastLine);
        }
        return READS * Units.NS_PER_S / Math.max(1, Long.parseLong(lastLine));
    }

    static CheckResult judge(String device, double freePerSecond, double limitedPerSecond) {
        String found = String.format(
                Locale.ROOT,
                "%s: %,.0f reads per second, %,.0f under a limit of %d",
                device,
                freePerSecond,
                limitedPerSecond,
                LIMIT_PER_SECOND);
        if (freePerSecond <= LIMIT_PER_SECOND * TOLERANCE) {
            return CheckResult.no(
                    NAME, found, "the disk is too slow for the test; move the engine's data root to a faster one");
        }
        return CheckResult.of(
                NAME,
                limitedPerSecond <= LIMIT_PER_SECOND * TOLERANCE,
                found,
                "fidelity evicted and natural are not available: the engine's containers need the io "
                        + "controller (blkio in version 1; rootless: delegate it to the user)");
    }
}
