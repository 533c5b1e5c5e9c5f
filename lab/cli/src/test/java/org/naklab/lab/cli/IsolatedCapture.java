package org.naklab.lab.cli;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A capture of loopback in a network namespace of its own, in which nobody else sends or drops. The capture keeps the namespace alive, and
 * with it the kernel's counters, until it is closed.
 */
final class IsolatedCapture implements AutoCloseable {
    private static final int TIMEOUT_S = 90;
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Enough for every header that the dissector reads. */
    private static final String SNAP_BYTES = "160";

    private static final String BUFFER_MIB = "64";
    private static final String BRING_UP = "ip link set lo up && exec \"$@\"";

    /** Runs a command in a network namespace of its own, with a loopback interface that takes multicast and nothing else. */
    static final List<String> NAMESPACE = List.of(
            "unshare",
            "-n",
            "sh",
            "-c",
            "ip link set lo up && ip link set lo multicast on && ip route add 224.0.0.0/4 dev lo && exec \"$@\"",
            "sh");

    private final Process process;
    private final Path file;
    private final Path log;

    private IsolatedCapture(Process process, Path file, Path log) {
        this.process = process;
        this.file = file;
        this.log = log;
    }

    /** Skips the test, with the reason, where namespaces or tshark are not to be had. */
    static void assumePossible() {
        assumeThat(outputOrReason("tshark", "-v")).contains("TShark");
        assumeThat(outputOrReason("unshare", "-n", "sh", "-c", BRING_UP, "sh", "echo", "isolated"))
                .contains("isolated");
        assumeThat(outputOrReason("dumpcap", "-v")).contains("Dumpcap");
    }

    static IsolatedCapture start(Path directory) throws IOException {
        Path file = directory.resolve("loopback.pcapng");
        Path log = directory.resolve("dumpcap.log");
        Files.deleteIfExists(file);
        List<String> command = new ArrayList<>(List.of("unshare", "-n", "sh", "-c", BRING_UP, "sh", "dumpcap", "-q"));
        command.addAll(List.of("-i", "lo", "-f", "udp", "-s", SNAP_BYTES, "-B", BUFFER_MIB, "-w", file.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new IsolatedCapture(process, file, log);
    }

    /** What runs a command within the namespace, once packets are being captured. */
    List<String> awaitPrefix() throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        while (file.toFile().length() == 0) {
            if (!process.isAlive() || System.nanoTime() - deadlineNs > 0) {
                throw new IOException("dumpcap does not capture: " + Files.readString(log));
            }
            LockSupport.parkNanos(POLL_NS);
        }
        return List.of("nsenter", "--net=/proc/" + process.pid() + "/ns/net");
    }

    /** Datagrams that any socket of the namespace dropped because it was full, as the kernel counts. */
    long receiveBufferErrors() throws IOException {
        List<String> udp = Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "net", "snmp")).stream()
                .filter(line -> line.startsWith("Udp:"))
                .toList();
        int column = List.of(udp.get(0).split(" ", -1)).indexOf("RcvbufErrors");
        return Long.parseLong(udp.get(1).split(" ", -1)[column]);
    }

    /** Ends the capture in order. Tells what it says of itself, above all how many packets it missed. */
    String finish() throws IOException {
        String unused = output("kill", "-INT", String.valueOf(process.pid()));
        try {
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new IOException("dumpcap does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return Files.readString(log);
    }

    /**
     * The fields of each packet that the filter lets through, by the dissector of Aeron; several of a kind by comma.
     *
     * @param port of the feed; snapshots have the next
     */
    List<String[]> aeronFields(int port, String filter, String... names) throws IOException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of("-d", "udp.port==" + port + ",aeron"));
        command.addAll(List.of("-d", "udp.port==" + (port + 1) + ",aeron", "-Y", filter, "-T", "fields"));
        for (String name : names) {
            command.addAll(List.of("-e", name));
        }
        return output(command.toArray(String[]::new))
                .lines()
                .map(line -> line.split("\t", -1))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static String outputOrReason(String... command) {
        try {
            return output(command);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(List.of(command) + " failed");
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
