package org.naklab.lab.studies.detection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** A process with one UDP socket on loopback, which lives as long as its standard input. Needs nothing but the class library. */
final class BenchSubject {
    private BenchSubject() {}

    /** Opens the socket, prints its port and waits for the end of the input. */
    public static void main(String[] args) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println(((InetSocketAddress) channel.getLocalAddress()).getPort());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}
