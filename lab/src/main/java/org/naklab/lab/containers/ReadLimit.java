package org.naklab.lab.containers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.naklab.lab.LabException;
import org.naklab.lab.process.ChildCommand;
import org.naklab.lab.process.EvictionProbe;
import org.naklab.lab.process.Json;

/**
 * How many reads per second a container may make, so that a late bind takes as long as wanted: the bind's reads wait for their
 * turn, and how many there are depends on the host's libraries and on how far its kernel reads ahead.
 */
public final class ReadLimit {
    private static final int PROBES = 3;
    private static final long PROBED_PER_SECOND = 20;
    private static final double NS_PER_SECOND = 1e9;

    private ReadLimit() {}

    /**
     * Binds late a few times in containers of their own, and goes by the mean.
     *
     * @throws LabException when no probe had a page to wait for
     */
    public static long calibrate(String device, long stallNs) {
        long totalNs = 0;
        for (int i = 0; i < PROBES; i++) {
            totalNs += probeNs(device);
        }
        double readsInStall = (double) totalNs / PROBES / NS_PER_SECOND * PROBED_PER_SECOND;
        return Math.max(1, Math.round(readsInStall / (stallNs / NS_PER_SECOND)));
    }

    private static long probeNs(String device) {
        List<String> command = new ArrayList<>(List.of(
                "run",
                "--rm",
                "--no-healthcheck",
                "--network",
                "none",
                "-v",
                ContainerSite.JOURNAL,
                "--device-read-iops",
                device + ":" + PROBED_PER_SECOND,
                Image.name()));
        command.addAll(OwnLibraries.ENTRY);
        command.addAll(
                ChildCommand.inImage(OwnLibraries.jvmArguments(), EvictionProbe.class, List.of(ContainerSite.JOURNAL)));
        String output = Docker.run(command.toArray(String[]::new));
        try {
            JsonNode line = Json.parse(Arrays.asList(output.split("\n", -1)).get(output.split("\n", -1).length - 1));
            if (line.path("majorFaults").asLong() == 0) {
                throw new LabException("evicted pages were there again at once: " + output);
            }
            return line.path("durationNs").asLong();
        } catch (JsonProcessingException e) {
            throw new LabException("the probe of the read limit said: " + output, e);
        }
    }
}
