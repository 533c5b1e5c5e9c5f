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
    private static final int MOST_PROBES = 6;
    /** Of the wanted length; a bind's own spread comes on top. */
    private static final double TOLERATED_ERROR = 0.2;

    private ReadLimit() {}

    /**
     * Binds late in containers of their own, until one takes about as long as wanted.
     *
     * @return the nearest of all that were tried
     * @throws LabException when a probe had no page to wait for
     */
    public static ReadPace calibrate(String device, long stallNs) {
        ReadPace pace = ReadPace.near(stallNs);
        ReadPace nearest = pace;
        double leastError = Double.MAX_VALUE;
        for (int i = 0; i < MOST_PROBES && leastError > TOLERATED_ERROR; i++) {
            long tookNs = probeNs(device, pace);
            double error = Math.abs((double) tookNs / stallNs - 1);
            if (error < leastError) {
                nearest = pace;
                leastError = error;
            }
            pace = pace.corrected(tookNs, stallNs);
        }
        return nearest;
    }

    private static long probeNs(String device, ReadPace pace) {
        List<String> command = new ArrayList<>(List.of(
                "run",
                "--rm",
                "--no-healthcheck",
                "--network",
                "none",
                "-v",
                ContainerSite.JOURNAL,
                "--device-read-iops",
                device + ":" + pace.readsPerSecond(),
                Image.name()));
        command.addAll(OwnLibraries.ENTRY);
        command.addAll(ChildCommand.inImage(
                OwnLibraries.jvmArguments(),
                EvictionProbe.class,
                List.of(ContainerSite.JOURNAL, String.valueOf(pace.firstWaitMs()))));
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
