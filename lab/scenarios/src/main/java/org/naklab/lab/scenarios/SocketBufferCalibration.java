package org.naklab.lab.scenarios;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.naklab.lab.core.LabException;
import org.naklab.messaging.SocketBuffers;

/**
 * The receive-buffer size that a datagram uses on this machine. The kernel also accounts for its own structures, so that a small datagram
 * takes many times its length. The factor depends on the kernel and is therefore measured.
 *
 * @param datagramBytes UDP payload of each datagram sent
 * @param calibrationBytes the buffer that was filled, as the kernel reports it
 * @param capacityDatagrams how many of them it held
 * @param grantedPerAsked bytes reported for each byte of SO_RCVBUF asked for: 2 on Linux
 * @param maxGrantedBytes the largest buffer that the kernel grants, as it reports it
 */
public record SocketBufferCalibration(
        int datagramBytes, int calibrationBytes, int capacityDatagrams, int grantedPerAsked, int maxGrantedBytes) {
    /** Below what any Linux grants without asking anybody, so that it is granted in full. */
    private static final int CALIBRATION_ASKED_BYTES = 65_536;

    /** Bytes of the buffer that one datagram takes, rounded up. */
    public int bytesPerDatagram() {
        return (calibrationBytes + capacityDatagrams - 1) / capacityDatagrams;
    }

    /**
     * Fills a socket on loopback with datagrams of that size and counts how many come out.
     *
     * @param mostAskedBytes the largest buffer that anybody will ask for
     * @throws LabException when there is no socket to be had
     */
    public static SocketBufferCalibration measure(int datagramBytes, int mostAskedBytes) {
        try (DatagramChannel receiver = DatagramChannel.open();
                DatagramChannel sender = DatagramChannel.open()) {
            int maxGrantedBytes = granted(receiver, mostAskedBytes);
            int calibrationBytes = granted(receiver, CALIBRATION_ASKED_BYTES);
            receiver.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int capacity = fill(sender, receiver, datagramBytes, calibrationBytes / datagramBytes + 1);
            return new SocketBufferCalibration(
                    datagramBytes,
                    calibrationBytes,
                    capacity,
                    Math.max(1, calibrationBytes / CALIBRATION_ASKED_BYTES),
                    maxGrantedBytes);
        } catch (IOException e) {
            throw new LabException("cannot measure the receive-buffer size that a datagram uses: " + e.getMessage(), e);
        }
    }

    private static int granted(DatagramChannel channel, int askedBytes) throws IOException {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, askedBytes);
        return SocketBuffers.grantedBytes(channel);
    }

    /** Sends more than can fit by payload alone; on loopback a datagram is in the receiver's buffer, or lost, when send returns. */
    private static int fill(DatagramChannel sender, DatagramChannel receiver, int datagramBytes, int datagrams)
            throws IOException {
        ByteBuffer datagram = ByteBuffer.allocateDirect(datagramBytes);
        sender.connect(receiver.getLocalAddress());
        for (int i = 0; i < datagrams; i++) {
            datagram.clear();
            sender.write(datagram);
        }
        receiver.configureBlocking(false);
        int received = 0;
        datagram.clear();
        while (receiver.receive(datagram) != null) {
            received++;
            datagram.clear();
        }
        if (received == 0) {
            throw new LabException("no datagram arrived on loopback: a firewall, or no loopback interface");
        }
        return received;
    }
}
