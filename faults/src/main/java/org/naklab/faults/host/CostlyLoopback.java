package org.naklab.faults.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.faults.Commands;
import org.naklab.faults.FaultException;

/**
 * The loopback interface of a network namespace, in which packet filters make each datagram costly to receive. The namespace belongs to the thread that
 * opened it, and ends with that thread, also when the process is killed. Used by that thread only.
 */
final class CostlyLoopback implements AutoCloseable {
    /** A comparison beyond the end of a datagram ends its filter. */
    private static final int DATAGRAM_BYTES = 256;
    /** The length of the header of an IP packet. */
    private static final int HEADER_BYTES = 20;

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    /** Comparisons of a filter; the kernel permits 128, but a line for tc has at most 512 words, and a comparison has six. */
    private static final int KEYS = 60;
    /** The kernel numbers the filters of one priority up to 4,095, and further ones all alike. */
    private static final int FILTERS_OF_PRIORITY = 4_000;

    private static final int FIRST_FILTERS = 500;
    private static final int MAX_FILTERS = 30_000;
    private static final int SAMPLES = 9;
    /** Datagrams are measured in a row, as in a burst: after the first one, the filters are in the caches of the CPU and cost less. */
    private static final int IN_A_ROW = 8;

    private final DatagramChannel sender;
    private final DatagramChannel receiver;
    private final SocketAddress address;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
    private int filters;

    private CostlyLoopback(DatagramChannel sender, DatagramChannel receiver) throws IOException {
        this.sender = sender;
        this.receiver = receiver;
        address = receiver.getLocalAddress();
    }

    /**
     * Moves the calling thread into a namespace of its own.
     *
     * @throws FaultException if the privilege or a tool is missing
     */
    static CostlyLoopback open() {
        Libc.leaveNetwork();
        Commands.run("ip", "link", "set", "lo", "up");
        Commands.run("tc", "qdisc", "add", "dev", "lo", "clsact");
        try {
            DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET);
            // Nobody reads it: without a socket, each datagram would be answered, and the answer be a second one.
            receiver.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0));
            return new CostlyLoopback(DatagramChannel.open(StandardProtocolFamily.INET), receiver);
        } catch (IOException e) {
            throw new FaultException("cannot open a socket in a network namespace: " + e.getMessage(), e);
        }
    }

    /**
     * Adds filters until the kernel needs that long for a datagram. The kernel of this machine is measured, not assumed: before {@link #steerTo}, it
     * receives a datagram in the call that sends it.
     *
     * @return how long it needs, ns
     * @throws FaultException if the most filters that are permitted do not suffice
     */
    long makeCostly(long leastNs) {
        long costNs = datagramNs();
        while (costNs < leastNs) {
            if (filters >= MAX_FILTERS) {
                throw new FaultException("a datagram takes only " + costNs + " ns with " + filters + " filters; "
                        + leastNs + " are needed");
            }
            addFilters(Math.min(MAX_FILTERS - filters, missing(costNs, leastNs)));
            costNs = datagramNs();
        }
        return costNs;
    }

    private int missing(long costNs, long leastNs) {
        if (filters == 0) {
            return FIRST_FILTERS;
        }
        double filterNs = Math.max(1, (double) costNs / filters);
        return 1 + (int) Math.min(MAX_FILTERS, (leastNs - costNs) / filterNs);
    }

    /** Returns the median: an interrupted call seems long, and one that left the work to a thread of the kernel short. */
    private long datagramNs() {
        long[] samplesNs = new long[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            long beginNs = System.nanoTime();
            send(IN_A_ROW);
            samplesNs[i] = (System.nanoTime() - beginNs) / IN_A_ROW;
        }
        Arrays.sort(samplesNs);
        return samplesNs[SAMPLES / 2];
    }

    /** The kernel compares each datagram with all keys of a filter until the last one, which no datagram has. */
    private void addFilters(int more) {
        // At different places, the last one at another: tc merges the comparisons of one place.
        String keys = IntStream.range(0, KEYS)
                .mapToObj(i -> " match u32 0 0 at " + (HEADER_BYTES + Integer.BYTES * i))
                .collect(Collectors.joining());
        for (int left = more; left > 0; ) {
            int count = Math.min(left, FILTERS_OF_PRIORITY - filters % FILTERS_OF_PRIORITY);
            int priority = 1 + filters / FILTERS_OF_PRIORITY;
            Commands.run(
                    "sh",
                    "-c",
                    "i=0; while [ $i -lt " + count + " ]; do echo 'filter add dev lo ingress protocol ip pref "
                            + priority
                            + " u32" + keys
                            + " match u32 0xdeadbeef 0xffffffff at 12 flowid 1:1'; i=$((i + 1)); done | tc -batch -");
            filters += count;
            left -= count;
        }
    }

    int filters() {
        return filters;
    }

    /** Has all datagrams received by that CPU. Programs that this thread starts are in its namespace; sysfs shows that of the process that mounts it. */
    void steerTo(int cpu) {
        Commands.run(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount -t sysfs sysfs /sys && echo " + mask(cpu) + " > /sys/class/net/lo/queues/rx-0/rps_cpus");
    }

    /** Returns the mask of a CPU in groups of 32 bits. */
    static String mask(int cpu) {
        return String.format(Locale.ROOT, "%x", 1L << cpu % Integer.SIZE) + ",00000000".repeat(cpu / Integer.SIZE);
    }

    void send(int datagrams) {
        try {
            for (int i = 0; i < datagrams; i++) {
                datagram.clear();
                sender.send(datagram, address);
            }
        } catch (IOException e) {
            throw new FaultException("cannot send datagrams: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (sender;
                receiver) {
            // Both are closed, whatever the other one throws.
        } catch (IOException e) {
            throw new FaultException("cannot close a socket: " + e.getMessage(), e);
        }
    }
}
