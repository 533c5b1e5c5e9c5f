package org.naklab.lab.instruments.capture;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.sampling.ObserverProcesses;

/**
 * Writes the datagrams for some ports into a file while they come to an interface, also those that a full socket drops. The file ends by itself at a bound of bytes and of time. One
 * process of {@code dumpcap} does it, the part of Wireshark that captures: it writes pcapng with times in nanoseconds, and needs no right but to capture. A socket of this process would need
 * the same right, a filter in the kernel's code and a thread that keeps up with the feed.
 */
public final class FeedCapture implements AutoCloseable {
    /** Name of the file in a run's directory. */
    public static final String NAME = "capture.pcapng";

    /** The largest size of the file, bytes. */
    public static final long MAX_BYTES = 256L << 20;

    static final int MAX_S = 600;

    /** Enough for the headers, and for the first fields of the first message; the file has the whole length of each datagram. */
    static final int KEPT_BYTES = 160;

    private static final String PROGRAM = "dumpcap";
    private static final String LOG = "capture.log";
    private static final long BYTES_PER_KB = 1_000;
    private static final long ANSWER_TIMEOUT_S = 10;
    /** The kernel gives datagrams to dumpcap every 250 ms, and dumpcap forgets at its end what it has not been given. */
    private static final long HANDED_OVER_MS = 1_000;

    private static final long END_TIMEOUT_S = 30;
    private static final long POLL_MS = 5;
    private static final Pattern COUNTED = Pattern.compile("received/dropped on interface .*: (\\d+)/(\\d+) \\(");

    private final Process process;
    private final String subject;
    private final Bounds bounds;
    private final Path file;
    private final Path log;
    private String ending = "";

    /**
     * The ports of the datagrams.
     *
     * @param first the lowest UDP port
     * @param last the highest UDP port
     */
    public record Ports(int first, int last) {}

    /**
     * Bounds a capture, which ends by itself there.
     *
     * @param bytes largest size of the file; dumpcap takes whole kB of it
     * @param seconds longest time
     */
    record Bounds(long bytes, int seconds) {}

    private FeedCapture(Process process, String subject, Bounds bounds, Path file, Path log) {
        this.process = process;
        this.subject = subject;
        this.bounds = bounds;
        this.file = file;
        this.log = log;
    }

    /**
     * Returns why datagrams cannot be captured here; empty if they can.
     *
     * @param address of the interface, or its address and prefix
     */
    public static Optional<String> obstacle(String address) {
        return obstacle(PROGRAM, address);
    }

    /** @param program to ask in place of dumpcap */
    static Optional<String> obstacle(String program, String address) {
        try {
            String name = interfaceOf(address);
            Process asked = new ProcessBuilder(program, "-L", "-i", name)
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .start();
            String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return asked.waitFor() == 0
                    ? Optional.empty()
                    : Optional.of("dumpcap may not capture on " + name + ": " + reason(said, name)
                            + "; run as root, or as a user whom dumpcap is set up for");
        } catch (IOException e) {
            return Optional.of("dumpcap cannot be started: " + Reason.ofStart(e)
                    + "; it is a part of Wireshark (apt-get install wireshark-common)");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while asking dumpcap");
        } catch (DetectException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the line that names the interface; dumpcap also tells of capabilities that it has not, and gives advice. */
    private static String reason(String said, String name) {
        return said.lines()
                .filter(line -> line.contains('"' + name + '"'))
                .findFirst()
                .or(() -> said.lines().findFirst())
                .orElse("it does not say why")
                .replaceFirst("^.*?\\((.+)\\)\\.?$", "$1");
    }

    /**
     * Starts to capture; returns when packets are being captured.
     *
     * @param address of the interface, or its address and prefix
     * @param directory takes the file
     * @throws DetectException datagrams cannot be captured here
     */
    public static FeedCapture start(String address, Ports ports, Path directory) {
        return start(address, ports, directory, new Bounds(MAX_BYTES, MAX_S));
    }

    static FeedCapture start(String address, Ports ports, Path directory, Bounds bounds) {
        String name = interfaceOf(address);
        Path file = directory.resolve(NAME);
        Path log = directory.resolve(LOG);
        String subject = "datagrams for ports " + ports.first() + " to " + ports.last() + " on " + name;
        try {
            Process process = new ProcessBuilder(command(name, ports, bounds, file))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            ObserverProcesses.add(process.toHandle());
            FeedCapture capture = new FeedCapture(process, subject, bounds, file, log);
            capture.awaitBegin();
            return capture;
        } catch (IOException e) {
            throw new DetectException("no capture: dumpcap cannot be started: " + Reason.ofStart(e), e);
        }
    }

    private static List<String> command(String name, Ports ports, Bounds bounds, Path file) {
        return List.of(
                PROGRAM,
                "-q",
                "-i",
                name,
                "-f",
                "udp dst portrange " + ports.first() + '-' + ports.last(),
                "-s",
                String.valueOf(KEPT_BYTES),
                "-a",
                "filesize:" + bounds.bytes() / BYTES_PER_KB,
                "-a",
                "duration:" + bounds.seconds(),
                "-w",
                file.toString());
    }

    /** The file has its first block when the interface is open. */
    private void awaitBegin() throws IOException {
        try {
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_TIMEOUT_S);
            while (file.toFile().length() == 0) {
                if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() - deadlineNs > 0) {
                    process.destroyForcibly();
                    throw new DetectException("no capture: dumpcap does not capture: " + firstWords());
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while starting a capture", e);
        }
    }

    private String firstWords() throws IOException {
        return Files.readString(log).lines().findFirst().orElse("it says nothing");
    }

    /** Returns the id of the process that captures. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the capture goes on. */
    boolean isGoingOn() {
        return process.isAlive();
    }

    /** Returns what is captured, within which bounds; once it is closed, also how many datagrams there are, and why it ended. */
    public String describe() {
        return "capture of the " + subject + ", up to " + Format.bytes(bounds.bytes()) + " and " + bounds.seconds()
                + " s" + ending;
    }

    /**
     * Ends the capture, a second later: what came before is in the file.
     *
     * @throws DetectException dumpcap failed, so that the file is not whole
     */
    @Override
    public void close() {
        try {
            boolean isAtBound = process.waitFor(HANDED_OVER_MS, TimeUnit.MILLISECONDS);
            process.destroy();
            if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new DetectException(
                        "the capture is not whole: dumpcap did not end within " + END_TIMEOUT_S + " s");
            }
            if (Files.exists(log)) {
                end(isAtBound);
            }
        } catch (IOException e) {
            throw new DetectException("cannot read what dumpcap says of the capture: " + Reason.of(e), e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void end(boolean isAtBound) throws IOException {
        String said = Files.readString(log);
        if (process.exitValue() != 0) {
            throw new DetectException("the capture is not whole: dumpcap ended with exit code " + process.exitValue()
                    + ": " + firstWords());
        }
        Files.delete(log);
        Matcher counted = COUNTED.matcher(said);
        String figures = counted.find()
                ? ": " + Format.count(Long.parseLong(counted.group(1))) + " captured, "
                        + Format.count(Long.parseLong(counted.group(2))) + " missed"
                : "";
        ending = figures + (isAtBound ? "; it ended at its bound, and does not have what came later" : "");
    }

    private static String interfaceOf(String address) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(InetAddress.getByName(
                    address.indexOf('/') < 0 ? address : address.substring(0, address.indexOf('/'))));
            if (found == null) {
                throw new DetectException("no capture: no interface of this machine has the address " + address);
            }
            return found.getName();
        } catch (IOException e) {
            throw new DetectException("no capture: cannot find the interface of " + address + ": " + Reason.of(e), e);
        }
    }
}
