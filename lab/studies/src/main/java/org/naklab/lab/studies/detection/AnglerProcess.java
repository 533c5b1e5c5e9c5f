package org.naklab.lab.studies.detection;

import com.lmax.angler.monitoring.network.monitor.socket.SocketMonitoringLifecycleListener;
import com.lmax.angler.monitoring.network.monitor.socket.udp.UdpSocketMonitor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * LMAX's angler, timed in a process of its own: it stands on an Agrona that is ten years older than ours, and the two do not fit on one class
 * path. Each line on standard input, a number of samples, is answered with a measurement.
 */
final class AnglerProcess {
    private AnglerProcess() {}

    /** Monitors the socket of a port on loopback, which is the argument. */
    public static void main(String[] args) throws IOException {
        UdpSocketMonitor monitor = new UdpSocketMonitor(new NoLifecycle());
        monitor.beginMonitoringOf(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            SampleCost cost = SampleCostMeter.measure("angler", 0, 1, Integer.parseInt(line), () -> poll(monitor));
            System.out.println(cost.medianNs() + " " + cost.p99Ns() + " " + cost.allocatedBytesPerSample());
        }
    }

    private static void poll(UdpSocketMonitor monitor) {
        monitor.poll((address, port, identifier, inode, receiveBytes, transmitBytes, drops) -> {});
    }

    /** The bench knows which sockets there are. */
    private static final class NoLifecycle implements SocketMonitoringLifecycleListener {
        @Override
        public void socketMonitoringStarted(InetAddress address, int port, long inode) {}

        @Override
        public void socketMonitoringStopped(InetAddress address, int port, long inode) {}
    }
}
