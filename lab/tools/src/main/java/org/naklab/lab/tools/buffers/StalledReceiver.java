package org.naklab.lab.tools.buffers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Units;
import org.naklab.messaging.SocketBuffers;

/** A socket on loopback that nobody reads while datagrams arrive at a rate. On loopback a datagram is in the buffer, or lost, when the call that sends it returns. */
final class StalledReceiver implements AutoCloseable {
    private static final int QUEUES_COLUMN = 4;

    private final DatagramChannel receiver = DatagramChannel.open();
    private final DatagramChannel sender;
    private final ByteBuffer datagram;

    /**
     * Opens a socket.
     *
     * @param askedBytes SO_RCVBUF; the kernel grants twice of it, up to its limit
     * @param datagramBytes payload of a datagram
     */
    StalledReceiver(int askedBytes, int datagramBytes) throws IOException {
        sender = DatagramChannel.open();
        datagram = ByteBuffer.allocateDirect(datagramBytes);
        receiver.setOption(StandardSocketOptions.SO_RCVBUF, askedBytes);
        receiver.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        receiver.configureBlocking(false);
        sender.connect(receiver.getLocalAddress());
    }

    /** Returns the size of the buffer as the kernel reports it, bytes. */
    int grantedBytes() throws IOException {
        return SocketBuffers.grantedBytes(receiver);
    }

    /**
     * Sends one datagram and returns the bytes of the buffer that the kernel counts for it: the truesize of the {@code sk_buff}.
     *
     * @throws IOException the kernel does not report it
     */
    long bytesPerDatagram() throws IOException {
        send();
        long bytes = queuedBytes();
        drain();
        return bytes;
    }

    /**
     * Stalls: sends at a rate while nobody reads, then reads everything.
     *
     * @return how many of the datagrams were lost
     */
    int lostIn(int datagrams, long eventsPerSecond) throws IOException {
        long beginNs = System.nanoTime();
        for (int i = 0; i < datagrams; i++) {
            long dueNs = beginNs + Math.round(i * Units.NS_PER_S / eventsPerSecond);
            for (long aheadNs = dueNs - System.nanoTime(); aheadNs > 0; aheadNs = dueNs - System.nanoTime()) {
                LockSupport.parkNanos(aheadNs);
            }
            send();
        }
        return datagrams - drain();
    }

    private void send() throws IOException {
        datagram.clear();
        sender.write(datagram);
    }

    private int drain() throws IOException {
        int received = 0;
        datagram.clear();
        while (receiver.receive(datagram) != null) {
            received++;
            datagram.clear();
        }
        return received;
    }

    private long queuedBytes() throws IOException {
        int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
        String address = String.format(Locale.ROOT, ":%04X", port);
        for (String table : new String[] {"udp", "udp6"}) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > QUEUES_COLUMN && columns[1].endsWith(address)) {
                    String queues = columns[QUEUES_COLUMN];
                    return Long.parseLong(queues.substring(queues.indexOf(':') + 1), 16);
                }
            }
        }
        throw new IOException("the socket is neither in /proc/self/net/udp nor in udp6");
    }

    @Override
    public void close() throws IOException {
        try (receiver) {
            sender.close();
        }
    }
}
