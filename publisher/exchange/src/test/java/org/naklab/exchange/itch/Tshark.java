package org.naklab.exchange.itch;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Wireshark's dissectors on a command line. */
final class Tshark {
    private static final int TIMEOUT_S = 90;

    private Tshark() {}

    /** Skips the test, with the reason, where tshark is missing or cannot do what is asked. */
    static void assumePresent(String feature) throws IOException {
        String version;
        try {
            version = run(List.of("tshark", "-v"));
        } catch (IOException e) {
            version = "tshark is not installed: " + e.getMessage();
        }
        assumeThat(version).contains(feature);
    }

    /** The fields of each packet, decoded with the given dissector for the payload of MoldUDP64. */
    static List<String[]> fields(Path capture, String dissector, List<String> options, List<String> names)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
        command.addAll(options);
        command.addAll(List.of("-d", "udp.port==" + MoldUdp64Capture.PORT + ",moldudp64"));
        command.addAll(List.of("-d", "moldudp64.payload," + dissector, "-T", "fields"));
        names.forEach(name -> command.addAll(List.of("-e", name)));
        return run(command).lines().map(line -> line.split("\t", -1)).toList();
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(command + " failed");
            }
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
