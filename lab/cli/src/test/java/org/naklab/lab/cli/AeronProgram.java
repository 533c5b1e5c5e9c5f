package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** A program that uses Aeron, in three processes: a media driver, a client that polls a stream, and a publisher with a driver of its own. */
final class AeronProgram implements AutoCloseable {
    private static final int STREAM_ID = 17;
    private static final int MESSAGE_BYTES = 200;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private final Path aeronDirectory;
    private final String channel;
    private final Process publisher;
    private Process driver;
    private Process client;

    private AeronProgram(Path directory, String channel) throws IOException {
        this.channel = channel;
        aeronDirectory = directory.resolve("aeron");
        driver = start("driver", aeronDirectory.toString());
        client = startClient();
        publisher = start("publisher", directory.resolve("publisher").toString(), channel);
    }

    /**
     * Starts all three.
     *
     * @param directory of the directories of both drivers
     * @param port of UDP
     */
    static AeronProgram start(Path directory, int port) throws IOException {
        return new AeronProgram(directory, "aeron:udp?endpoint=127.0.0.1:" + port + "|term-length=64k");
    }

    Path aeronDirectory() {
        return aeronDirectory;
    }

    long driverPid() {
        return driver.pid();
    }

    long clientPid() {
        return client.pid();
    }

    /** Has the client stop polling for so many milliseconds. */
    void stopPolling(long ms) throws IOException {
        client.getOutputStream().write((ms + "\n").getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }

    /** Ends the client and starts it anew. */
    void restartClient() throws IOException {
        end(client);
        client = startClient();
    }

    /** Ends driver and client and starts them anew. */
    void restart() throws IOException {
        end(client);
        end(driver);
        driver = start("driver", aeronDirectory.toString());
        client = startClient();
    }

    private Process startClient() throws IOException {
        return start("client", aeronDirectory.toString(), channel);
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                AeronProgram.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
        assertThat(output.readLine()).isEqualTo("ready");
        return process;
    }

    private static void end(Process process) {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        end(publisher);
        end(client);
        end(driver);
    }

    /** Runs one of the processes; arguments: its name, the directory of the driver, and the channel. */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "driver" -> drive(args[1]);
            case "client" -> poll(args[1], args[2]);
            case "publisher" -> publish(args[1], args[2]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static MediaDriver launch(String directory) {
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.DEDICATED)
                .termBufferSparseFile(true)
                .dirDeleteOnStart(true));
    }

    private static void drive(String directory) throws IOException {
        try (MediaDriver driver = launch(directory)) {
            System.out.println("ready");
            awaitEndOfInput(driver.aeronDirectoryName());
        }
    }

    private static void awaitEndOfInput(String what) throws IOException {
        if (System.in.read() >= 0) {
            throw new IOException(what + " takes no input");
        }
    }

    private static void poll(String directory, String channel) throws IOException {
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
                Subscription subscription = aeron.addSubscription(channel, STREAM_ID)) {
            Polling polling = new Polling(subscription);
            Thread poller = new Thread(polling, "client-poll");
            poller.setDaemon(true);
            poller.start();
            System.out.println("ready");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                polling.stopMs = Long.parseLong(line);
            }
        }
    }

    /** Polls, and sleeps in its handler when it is told to. */
    private static final class Polling implements Runnable {
        private final Subscription subscription;
        private volatile long stopMs;

        Polling(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void run() {
            while (!subscription.isClosed()) {
                if (subscription.poll((buffer, offset, length, header) -> onFragment(), 10) == 0) {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
                }
            }
        }

        private void onFragment() {
            long ms = stopMs;
            if (ms > 0) {
                stopMs = 0;
                try {
                    Thread.sleep(ms);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static void publish(String directory, String channel) {
        try (MediaDriver driver = launch(directory);
                Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                ExclusivePublication publication = aeron.addExclusivePublication(channel, STREAM_ID)) {
            UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_BYTES]);
            System.out.println("ready");
            while (!publication.isClosed()) {
                if (publication.offer(message) == ExclusivePublication.CLOSED) {
                    throw new UncheckedIOException(new IOException("the publication was closed"));
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
