package org.naklab.lab.instruments.aeron;

import io.aeron.Aeron;
import io.aeron.Subscription;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A client of a driver in a process of its own, which polls one stream, and stops polling for so many milliseconds when it is told to. */
public final class PollingClient implements AutoCloseable {
    private final Process process;

    private PollingClient(Process process) {
        this.process = process;
    }

    /** Starts it; returns when it has an image. */
    public static PollingClient start(Path aeronDirectory, String channel, int streamId) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PollingClient.class.getName(),
                        aeronDirectory.toString(),
                        channel,
                        String.valueOf(streamId))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
        if (!"ready".equals(output.readLine())) {
            throw new IOException("the client did not start");
        }
        return new PollingClient(process);
    }

    public long pid() {
        return process.pid();
    }

    /** Has it stop polling. */
    public void stopPolling(long ms) throws IOException {
        process.getOutputStream().write((ms + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** Runs the client; arguments: directory of the driver, channel, stream id. */
    public static void main(String[] args) throws IOException {
        AtomicLong stopMs = new AtomicLong();
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(args[0]));
                Subscription subscription = aeron.addSubscription(args[1], Integer.parseInt(args[2]))) {
            Thread poller = new Thread(() -> poll(subscription, stopMs), "client-poll");
            poller.setDaemon(true);
            poller.start();
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                stopMs.set(Long.parseLong(line));
            }
        }
    }

    private static void poll(Subscription subscription, AtomicLong stopMs) {
        boolean isReady = false;
        while (!subscription.isClosed()) {
            if (!isReady && subscription.isConnected()) {
                isReady = true;
                System.out.println("ready");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(stopMs.getAndSet(0)));
            if (subscription.poll((buffer, offset, length, header) -> {}, 10) == 0) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
        }
    }
}
