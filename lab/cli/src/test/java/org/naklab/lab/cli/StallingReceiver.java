package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.testing.host.FreePorts;

/** A receiver in C that stalls when it is told to, and a sender that feeds it all the time. */
final class StallingReceiver implements AutoCloseable {
    private static final int DATAGRAM_BYTES = 200;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private final Process process;
    private final int port;
    private final Thread sender;
    private volatile boolean isOpen = true;

    private StallingReceiver(Process process, int port) {
        this.process = process;
        this.port = port;
        sender = new Thread(this::send, "sender");
        sender.setDaemon(true);
    }

    /** Compiles the program; the file is its name. */
    static Path compile(Path directory, String name) throws IOException, InterruptedException {
        return compile(directory, name, "stalling-receiver.c");
    }

    /** Compiles another program that is commanded in the same way. */
    static Path compile(Path directory, String name, String file) throws IOException, InterruptedException {
        Path source = directory.resolve(file);
        try (InputStream in = Objects.requireNonNull(StallingReceiver.class.getResourceAsStream(file), file)) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path program = directory.resolve(name);
        Process compiler = new ProcessBuilder(
                        "cc", "-O1", "-g", "-pthread", "-o", program.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        return program;
    }

    /** Starts it and its sender. */
    static StallingReceiver start(Path program) throws IOException {
        return start(program, List.of());
    }

    /** Starts the stalling receiver with a buffer of so many bytes, as the kernel counts them, and its sender. */
    static StallingReceiver start(Path program, long bufferBytes) throws IOException {
        return start(program, List.of(String.valueOf(bufferBytes / 2)));
    }

    private static StallingReceiver start(Path program, List<String> arguments) throws IOException {
        int port = FreePorts.pair();
        List<String> command = new ArrayList<>(List.of(program.toString(), String.valueOf(port)));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
        assertThat(output.readLine()).isEqualTo("ready");
        StallingReceiver receiver = new StallingReceiver(process, port);
        receiver.sender.start();
        return receiver;
    }

    long pid() {
        return process.pid();
    }

    /** Has it stall in its own way. */
    void command(String word) throws IOException {
        process.getOutputStream().write((word + '\n').getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    private void send() {
        try (DatagramSocket socket = new DatagramSocket()) {
            DatagramPacket datagram = new DatagramPacket(
                    new byte[DATAGRAM_BYTES], DATAGRAM_BYTES, InetAddress.getLoopbackAddress(), port);
            while (isOpen) {
                socket.send(datagram);
                LockSupport.parkNanos(PAUSE_NS);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        isOpen = false;
        process.destroyForcibly().onExit().join();
    }
}
