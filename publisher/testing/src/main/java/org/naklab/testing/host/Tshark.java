package org.naklab.testing.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Wireshark's dissectors on a command line. */
public final class Tshark {
    /** So that what it says about its user is not taken for fields. */
    private static final String WARNING = "Running as user";

    private Tshark() {}

    /** Skips the test, with the reason, where tshark is missing or cannot do what is asked. */
    public static void assumePresent(String feature) {
        ToolOutput version = ToolOutput.of("tshark", "-v");
        assumeThat(version.succeeded() ? version.output() : "tshark is not installed: " + version.output())
                .contains(feature);
    }

    /**
     * Returns the fields of each packet.
     *
     * @param options as of the command line, such as {@code -d udp.port==1,moldudp64}
     */
    public static List<String[]> fields(Path capture, List<String> options, List<String> names) {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString(), "-T", "fields"));
        command.addAll(options);
        names.forEach(name -> command.addAll(List.of("-e", name)));
        ToolOutput output = ToolOutput.of(command, Map.of());
        assertThat(output.succeeded()).as(output.output()).isTrue();
        return output.output()
                .lines()
                .filter(line -> !line.startsWith(WARNING))
                .map(line -> line.split("\t", -1))
                .toList();
    }
}
