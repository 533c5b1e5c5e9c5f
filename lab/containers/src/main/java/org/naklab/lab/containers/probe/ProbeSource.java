package org.naklab.lab.containers.probe;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.MulticastSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;

/** Main class of a probe's sender: sends its datagrams once for each command {@link ControlCommand#SEND}. */
public final class ProbeSource {
    private static final long TICK_MS = 1_000;

    private ProbeSource() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ControlChannel link = ControlChannel.ofProcess();
        ProbeConfig config = Json.fromLine(link.firstLine(), ProbeConfig.class);
        try (MulticastSocket socket = new MulticastSocket()) {
            link.report(ProcessEvent.Ready.now());
            for (ControlCommand command = link.poll(TICK_MS);
                    command != ControlCommand.END;
                    command = link.poll(TICK_MS)) {
                if (command == ControlCommand.SEND) {
                    send(socket, config);
                    link.report(ProcessEvent.Sent.now());
                }
            }
        }
        System.exit(0);
    }

    private static void send(MulticastSocket socket, ProbeConfig config) throws IOException {
        InetAddress group = InetAddress.getByName(config.group());
        long beginNs = System.nanoTime();
        for (int number = 0; number < config.datagrams(); number++) {
            long dueNs = beginNs + TimeUnit.SECONDS.toNanos(1) * number / config.perSecond();
            for (long leftNs = dueNs - System.nanoTime(); leftNs > 0; leftNs = dueNs - System.nanoTime()) {
                LockSupport.parkNanos(leftNs);
            }
            byte[] payload = payload(number, System.nanoTime());
            socket.send(new DatagramPacket(payload, payload.length, group, config.port()));
        }
    }

    /** Number, time, and then bytes that follow from the number. */
    private static byte[] payload(int number, long nowNs) {
        ByteBuffer payload = ByteBuffer.allocate(ProbeConfig.PAYLOAD_BYTES);
        payload.putInt(number).putLong(nowNs);
        while (payload.hasRemaining()) {
            payload.put(filling(number, payload.position()));
        }
        return payload.array();
    }

    static byte filling(int number, int position) {
        return (byte) (31 * number + position);
    }
}
