package org.naklab.lab.studies.observer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives datagrams on loopback in one thread, which waits for each and works for it. Ends with its standard input.
 *
 * <pre>
 * out  its port
 * in   any line
 * out  now, datagrams received, CPU time of the receiving thread; times in ns
 * </pre>
 */
final class ReceiverProcess {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReceiverProcess.class);

    static final int DATAGRAM_BYTES = 200;
    private static final int BUFFER_BYTES = 4 << 20;

    private final DatagramChannel channel;
    private final int checksums;
    private final AtomicLong received = new AtomicLong();

    private ReceiverProcess(DatagramChannel channel, int checksums) {
        this.channel = channel;
        this.checksums = checksums;
    }

    /**
     * Receives, and answers lines.
     *
     * @param args how often the checksum of each datagram is computed
     */
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ReceiverProcess process = new ReceiverProcess(channel, Integer.parseInt(args[0]));
            Thread receiver = new Thread(process::receive, "receiver");
            receiver.setDaemon(true);
            receiver.start();
            System.out.println(((InetSocketAddress) channel.getLocalAddress()).getPort());
            while (in.readLine() != null) {
                System.out.println(System.nanoTime() + " " + process.received.get() + " "
                        + threads.getThreadCpuTime(receiver.getId()));
            }
        }
    }

    private void receive() {
        ByteBuffer datagram = ByteBuffer.allocateDirect(2 * DATAGRAM_BYTES);
        CRC32 checksum = new CRC32();
        try {
            while (channel.isOpen()) {
                datagram.clear();
                channel.receive(datagram);
                for (int i = 0; i < checksums; i++) {
                    checksum.update(datagram.flip());
                }
                received.lazySet(received.get() + 1);
            }
        } catch (ClosedChannelException e) {
            LOGGER.debug("the process ends", e);
        } catch (IOException e) {
            LOGGER.error("the receiver failed", e);
            Runtime.getRuntime().halt(1);
        }
    }
}
