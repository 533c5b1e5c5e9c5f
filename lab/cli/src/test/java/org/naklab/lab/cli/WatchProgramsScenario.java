package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.testing.Await;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** {@code naklab watch} on programs that nobody here wrote, each disturbed in its own way. They are packages of Debian. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class WatchProgramsScenario {
    private static final int FOUND = 3;
    private static final int DATAGRAM_BYTES = 200;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final String FREEZER = "/sys/fs/cgroup/unified";
    private static final String CPU = "/sys/fs/cgroup/cpu";

    @TempDir
    private Path directory;

    /** What keeps a program from its socket, as a command of the shell that knows {@code PID} and {@code GROUP}; and what it needs. */
    private enum Disturbance {
        STOP("kill -STOP $PID; sleep 0.4; kill -CONT $PID", "", "process-paused", "stopped"),
        FREEZE(
                "mkdir $GROUP && echo $PID > $GROUP/cgroup.procs && echo 1 > $GROUP/cgroup.freeze; sleep 0.4; echo 0 > $GROUP/cgroup.freeze",
                FREEZER,
                "process-frozen",
                "frozen"),
        THROTTLE(
                "mkdir $GROUP && echo 500000 > $GROUP/cpu.cfs_period_us && echo 1000 > $GROUP/cpu.cfs_quota_us && echo $PID > $GROUP/cgroup.procs;"
                        + " sleep 1.5; echo -1 > $GROUP/cpu.cfs_quota_us",
                CPU,
                "cpu-throttled",
                "throttled"),
        /** The program writes to a pipe whose reader sleeps. */
        LEAVE_PIPE("kill -STOP $READER; sleep 1; kill -CONT $READER", "", "blocking-call", "pipe"),
        /** The program computes, on a signal that it knows. */
        COMPUTE("kill -USR2 $PID; sleep 0.5", "", "busy-thread", "on-cpu");

        private final String command;
        private final String parent;
        private final String cause;
        private final String kind;

        Disturbance(String command, String parent, String cause, String kind) {
            this.command = command;
            this.parent = parent;
            this.cause = cause;
            this.kind = kind;
        }
    }

    /** A program and the command that starts it, with {@code PORT} and its directory as {@code DIR}. */
    private enum Program {
        UNBOUND(
                Disturbance.STOP,
                "unbound",
                "printf 'server:\\n interface: 127.0.0.1@PORT\\n do-daemonize: no\\n use-syslog: no\\n chroot: \"\"\\n username: \"\"\\n"
                        + " directory: \"DIR\"\\n pidfile: \"\"\\n num-threads: 1\\n do-tcp: no\\n' > DIR/unbound.conf; exec unbound -d -c DIR/unbound.conf"),
        CHRONYD(
                Disturbance.FREEZE,
                "chronyd",
                "printf 'port PORT\\ncmdport 0\\nbindaddress 127.0.0.1\\nallow 127/8\\npidfile DIR/chronyd.pid\\nlocal stratum 10\\n' > DIR/chrony.conf;"
                        + " exec chronyd -d -x -u root -f DIR/chrony.conf"),
        DNSMASQ(
                Disturbance.THROTTLE,
                "dnsmasq",
                "exec dnsmasq -k -p PORT -a 127.0.0.1 -z -R -h -u root --conf-file=/dev/null --pid-file=DIR/dnsmasq.pid"),
        SOCAT(
                Disturbance.LEAVE_PIPE,
                "socat",
                "mkfifo DIR/fifo; cat DIR/fifo > /dev/null & echo $! > DIR/reader; exec socat -u UDP-RECV:PORT,bind=127.0.0.1 PIPE:DIR/fifo"),
        COTURN(
                Disturbance.FREEZE,
                "turnserver",
                "exec turnserver -n -L 127.0.0.1 -p PORT --no-cli --no-tcp --no-tls --no-dtls -l /dev/null --pidfile DIR/turn.pid --userdb DIR/turn.db"),
        NODE(
                Disturbance.COMPUTE,
                "node",
                "exec node -e 'const s = require(\"dgram\").createSocket(\"udp4\"); s.on(\"message\", () => {}); s.bind(PORT, \"127.0.0.1\");"
                        + " process.on(\"SIGUSR2\", () => { const end = Date.now() + 300; while (Date.now() < end); })'");

        private final Disturbance disturbance;
        private final String tool;
        private final String command;

        Program(Disturbance disturbance, String tool, String command) {
            this.disturbance = disturbance;
            this.tool = tool;
            this.command = command;
        }
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    void shouldNameWhatKeptTheProgramFromItsSocket(Program program) throws Exception {
        Disturbance disturbance = program.disturbance;
        assumeTrue(isInstalled(program.tool), "needs " + program.tool);
        assumeTrue(
                disturbance.parent.isEmpty() || Files.isWritable(Path.of(disturbance.parent)),
                "needs root and " + disturbance.parent);
        Path window = LiveRun.make("WatchProgramsScenario", () -> watched(program));
        WatchDiagnosis.of(window)
                .hasCause(disturbance.cause, ".+", disturbance.kind)
                .hasAccounts();
    }

    private Path watched(Program program) throws IOException {
        Path own = Files.createTempDirectory(directory, program.name().toLowerCase(Locale.ROOT));
        int port = FreePorts.pair();
        String command = program.command.replace("PORT", String.valueOf(port)).replace("DIR", own.toString());
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("log").toFile())
                .start();
        try (Sender sender = new Sender(port)) {
            Await.until("the socket of " + program, () -> isBound(port) || !process.isAlive());
            assertThat(process.isAlive()).as(() -> log(own)).isTrue();
            sender.start();
            return recorded(program.disturbance, process.pid(), own);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }

    private static Path recorded(Disturbance disturbance, long pid, Path own) throws IOException {
        Path window = own.resolve("window");
        Path group = Path.of(disturbance.parent.isEmpty() ? "/" : disturbance.parent, "naklab-" + pid);
        try (NaklabProcess watch = NaklabProcess.command(
                Files.createDirectory(own.resolve("watch")),
                "watch",
                String.valueOf(pid),
                "--record",
                window.toString(),
                "--windows",
                "1")) {
            watch.await("the recorder", () -> watch.out().contains("will be recorded in " + window));
            Path reader = own.resolve("reader");
            shell("PID=" + pid + "; GROUP=" + group + "; READER="
                    + (Files.exists(reader) ? Files.readString(reader).strip() : "")
                    + "; " + disturbance.command);
            assertThat(watch.outcome().exitCode()).isEqualTo(FOUND);
        } finally {
            if (Files.exists(group.resolve("cgroup.procs"))) {
                shell("echo " + pid + " > " + group.resolveSibling("cgroup.procs") + "; rmdir " + group);
            }
        }
        return window;
    }

    private static void shell(String command) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", command).inheritIO().start();
        assertThat(shell.onExit().join().exitValue()).as(command).isZero();
    }

    private static boolean isInstalled(String tool) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(path -> Stream.of(path, "/usr/sbin"))
                .anyMatch(path -> Files.isExecutable(Path.of(path, tool)));
    }

    private static boolean isBound(int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/udp"), StandardCharsets.US_ASCII)) {
            return lines.map(line -> line.strip().split(" +", -1))
                    .anyMatch(words -> words.length > 1 && words[1].endsWith(end));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String log(Path own) {
        try {
            return Files.readString(own.resolve("log"));
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Sends what no protocol knows, all the time: each program receives it and goes on. */
    private static final class Sender implements AutoCloseable {
        private final Thread thread = new Thread(this::send, "sender");
        private final int port;
        private volatile boolean isOpen = true;

        Sender(int port) {
            this.port = port;
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        private void send() {
            try (DatagramSocket socket = new DatagramSocket()) {
                DatagramPacket datagram = new DatagramPacket(
                        new byte[DATAGRAM_BYTES], DATAGRAM_BYTES, InetAddress.getLoopbackAddress(), port);
                while (isOpen) {
                    sendOne(socket, datagram);
                    LockSupport.parkNanos(PAUSE_NS);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The program may just end. */
        private void sendOne(DatagramSocket socket, DatagramPacket datagram) throws IOException {
            try {
                socket.send(datagram);
            } catch (PortUnreachableException e) {
                isOpen = false;
            }
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }
}
