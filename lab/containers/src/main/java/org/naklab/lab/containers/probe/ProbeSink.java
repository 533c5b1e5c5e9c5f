package org.naklab.lab.containers.probe;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of a probe's receiver: joins the group, and tells on the command {@link ControlCommand#REPORT} what came since the last, once
 * nothing has come for half a second.
 */
public final class ProbeSink {
    private static final Logger LOGGER = LoggerFactory.getLogger(ProbeSink.class);

    private static final long TICK_MS = 1_000;
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MOST_WAIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int BUFFER_BYTES = 4 << 20;

    private ProbeSink() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ControlChannel link = ControlChannel.ofProcess();
        ProbeConfig config = Json.fromLine(link.firstLine(), ProbeConfig.class);
        ProbeStatistics arrivals = new ProbeStatistics();
        try (MulticastSocket socket = new MulticastSocket(config.port())) {
            socket.setReceiveBufferSize(BUFFER_BYTES);
            NetworkInterface network = NetworkInterface.getByInetAddress(InetAddress.getLocalHost());
            socket.joinGroup(new InetSocketAddress(config.group(), config.port()), network);
            Thread reader = new Thread(() -> read(socket, arrivals), "probe-read");
            reader.setDaemon(true);
            reader.start();
            link.report(ProcessEvent.Ready.now());
            for (ControlCommand command = link.poll(TICK_MS);
                    command != ControlCommand.END;
                    command = link.poll(TICK_MS)) {
                if (command == ControlCommand.REPORT) {
                    awaitQuiet(arrivals);
                    link.report(ProcessEvent.Report.of(arrivals.report()));
                }
            }
            System.exit(0);
        }
    }

    private static void awaitQuiet(ProbeStatistics arrivals) {
        long beganNs = System.nanoTime();
        long nowNs = beganNs;
        while (nowNs - Math.max(beganNs, arrivals.latestNs()) < QUIET_NS && nowNs - beganNs < MOST_WAIT_NS) {
            LockSupport.parkNanos(QUIET_NS / 10);
            nowNs = System.nanoTime();
        }
    }

    private static void read(MulticastSocket socket, ProbeStatistics arrivals) {
        DatagramPacket packet = new DatagramPacket(new byte[ProbeConfig.PAYLOAD_BYTES], ProbeConfig.PAYLOAD_BYTES);
        try {
            for (; ; ) {
                socket.receive(packet);
                arrivals.add(packet.getData(), packet.getLength(), System.nanoTime());
            }
        } catch (IOException e) {
            LOGGER.error("the socket cannot be read", e);
            Runtime.getRuntime().halt(1);
        }
    }
}
