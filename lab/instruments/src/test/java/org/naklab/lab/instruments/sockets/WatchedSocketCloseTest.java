package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.testing.host.FreePorts;

/** A socket that is watched is gone when its owner has closed it, without a refresh or a sample. The owner is a shell. */
@Timeout(60)
class WatchedSocketCloseTest {
    private static final int MANY = 900;

    private Process shell;
    private PrintStream in;
    private BufferedReader out;

    @BeforeEach
    void start() throws IOException {
        shell = new ProcessBuilder("bash").redirectErrorStream(true).start();
        in = new PrintStream(shell.getOutputStream(), true, StandardCharsets.US_ASCII);
        out = shell.inputReader(StandardCharsets.US_ASCII);
        obey("exec 7<>/dev/udp/127.0.0.1/9");
    }

    @AfterEach
    void stop() throws InterruptedException {
        shell.destroyForcibly().waitFor();
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldLeaveThePortToWhoBindsItNext(SocketSources way) throws IOException {
        try (SocketSource source = way.open(shell.pid())) {
            for (int i = 0; i < 20; i++) {
                source.refresh();
                source.sample();
                int port = onlySocket(source).identity().localPort();
                obey("exec 7>&-");
                assertThat(FreePorts.isFree(port)).as("port %d", port).isTrue();
                obey("exec 7<>/dev/udp/127.0.0.1/9");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldFindTheSuccessorUnderTheSameDescriptor(SocketSources way) throws IOException {
        try (SocketSource source = way.open(shell.pid())) {
            long inode = onlySocket(source).identity().inode();
            obey("exec 7<>/dev/udp/127.0.0.1/9");
            source.sample();
            source.refresh();
            source.sample();
            assertThat(onlySocket(source).identity().inode()).isNotEqualTo(inode);
            assertThat(onlySocket(source).isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldFollowASocketToAnotherDescriptor(SocketSources way) throws IOException {
        try (SocketSource source = way.open(shell.pid())) {
            long inode = onlySocket(source).identity().inode();
            obey("exec 8<&7 7>&-");
            source.sample();
            source.refresh();
            source.sample();
            assertThat(onlySocket(source).identity().inode()).isEqualTo(inode);
            assertThat(onlySocket(source).isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(SocketSources.class)
    void shouldHoldNoneOfManySockets(SocketSources way) throws IOException {
        obey("ulimit -n 2048; for i in {1..%d}; do exec {fd}<>/dev/udp/127.0.0.1/9; done".formatted(MANY));
        try (SocketSource source = way.open(shell.pid())) {
            source.sample();
            assertThat(source.sockets()).hasSize(1 + MANY);
            List<Integer> ports = Arrays.stream(source.sockets())
                    .map(socket -> socket.identity().localPort())
                    .toList();
            assertThat(openSockets()).isLessThan(MANY / 2);
            obey("for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd > 2)) && eval \"exec $fd>&-\"; done");
            // The system may have given some of them to other programs.
            assertThat(ports.stream().filter(port -> !FreePorts.isFree(port))).hasSizeLessThan(MANY / 10);
        }
    }

    private static MonitoredSocket onlySocket(SocketSource source) {
        assertThat(source.sockets()).hasSize(1);
        return source.sockets()[0];
    }

    private static long openSockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    private void obey(String command) throws IOException {
        in.println(command + "; echo done");
        assertThat(out.readLine()).isEqualTo("done");
    }
}
