package org.naklab.lab.terminal.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.naklab.lab.core.UnavailableException;
import org.naklab.messaging.Ports;

@EnabledOnOs(value = OS.LINUX, disabledReason = "there are no abstract sockets")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PortLockTest {
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final String HOLD =
            "import socket,sys;s=socket.socket(socket.AF_UNIX);s.bind('\\0naklab-udp-'+sys.argv[1]);"
                    + "s.listen();print('held',flush=True);sys.stdin.read()";

    @Test
    void shouldBeHeldOnce() {
        int port = Ports.findFreeBase();
        try (PortLock lock = PortLock.of(port)) {
            assertThat(lock.basePort()).isEqualTo(port);
            assertThatThrownBy(() -> PortLock.of(port).close())
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("UDP port " + port + " is held by another run, process "
                            + ProcessHandle.current().pid() + " of user " + System.getProperty("user.name"));
        }
        PortLock.of(port).close();
    }

    /** A run has two ports, so that of another one's snapshots must not be its events'. */
    @Test
    void shouldRefuseRunThatOverlaps() {
        int port = Ports.findFreeBase();
        try (PortLock lock = PortLock.of(port)) {
            assertThatThrownBy(() -> PortLock.of(port - 1).close())
                    .hasMessageContaining("UDP port " + port + " is held");
            assertThatThrownBy(() -> PortLock.of(port + 1).close())
                    .hasMessageContaining("UDP port " + (port + 1) + " is held");
            assertThat(lock.basePort()).isEqualTo(port);
        }
    }

    @Test
    void shouldGiveUpTheFirstPortWhenTheSecondIsHeld() {
        int port = Ports.findFreeBase();
        try (PortLock next = PortLock.of(port + 1)) {
            assertThatThrownBy(() -> PortLock.of(port).close()).isInstanceOf(UnavailableException.class);
            assertThat(next.basePort()).isEqualTo(port + 1);
        }
        PortLock.of(port).close();
    }

    @Test
    void shouldFindPortsThatNobodyHolds() {
        try (PortLock first = PortLock.ofFreePorts();
                PortLock second = PortLock.ofFreePorts()) {
            assertThat(Math.abs(first.basePort() - second.basePort())).isGreaterThan(1);
        }
    }

    @Test
    void shouldRefusePortOfAnotherProgram() throws IOException {
        int port = Ports.findFreeBase();
        try (DatagramChannel other = DatagramChannel.open()) {
            other.bind(new InetSocketAddress(port));
            assertThatThrownBy(() -> PortLock.of(port).close())
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("UDP port " + port)
                    .hasMessageContaining("in use");
        }
        PortLock.of(port).close();
    }

    @Test
    void shouldNameProcessOfAnotherUserAndEndWithIt() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("user, who can become another")
                .isEqualTo("root");
        assumeThat(PYTHON).as("what the other user runs").isExecutable();
        assumeThat(Path.of("/usr/bin/setpriv")).as("what makes the other user").isExecutable();
        int port = Ports.findFreeBase();
        Process other = new ProcessBuilder(
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        PYTHON.toString(),
                        "-c",
                        HOLD,
                        "" + port)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = other.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("held");
            assertThatThrownBy(() -> PortLock.of(port).close())
                    .hasMessageContaining(
                            "process " + other.pid() + " of user " + Files.getOwner(Path.of("/proc/" + other.pid())));
        } finally {
            other.destroyForcibly().onExit().join();
        }
        PortLock.of(port).close();
        assertThat(List.of(other.exitValue())).containsExactly(137);
    }
}
