package org.naklab.lab.studies.observer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.process.AskedProcess;

/** A {@link ReceiverProcess} and its sender, which is a thread of this process, measured in slices. */
final class ReceiverSlices implements AutoCloseable {
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long BURSTS_PER_SECOND = TimeUnit.SECONDS.toNanos(1) / BURST_NS;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);

    private final AskedProcess receiver;
    private final DatagramChannel channel;
    private final Thread sender;
    private final int perBurst;
    private volatile boolean isRunning = true;
    private final AtomicLong sent = new AtomicLong();

    /** Tells what the receiver has done by a time. */
    record Look(long timeNs, long datagrams, long cpuNs) {}

    /**
     * A slice.
     *
     * @param perSecond datagrams received a second
     * @param perCpuSecond datagrams received in a second of CPU time of the receiving thread
     * @param lostShare of the datagrams that were sent, 0 to 1
     */
    record Slice(double perSecond, double perCpuSecond, double lostShare) {}

    private ReceiverSlices(AskedProcess receiver, DatagramChannel channel, long perSecond) {
        this.receiver = receiver;
        this.channel = channel;
        perBurst = Math.toIntExact(perSecond / BURSTS_PER_SECOND);
        sender = new Thread(this::send, "bench-sender");
        sender.setDaemon(true);
    }

    /**
     * Starts both, and waits until their code is compiled.
     *
     * @param perSecond datagrams a second, in bursts of 1 ms
     * @param checksums the work for each datagram
     */
    static ReceiverSlices start(long perSecond, int checksums) throws IOException {
        AskedProcess receiver = BenchChild.start(List.of(), ReceiverProcess.class, Integer.toString(checksums));
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(receiver.next()));
        DatagramChannel channel = DatagramChannel.open().connect(address);
        ReceiverSlices slices = new ReceiverSlices(receiver, channel, perSecond);
        slices.sender.start();
        PipelineSlices.pause(WARM_UP_NS);
        return slices;
    }

    /** Returns the process id of the receiver. */
    long pid() {
        return receiver.pid();
    }

    /** Measures from now on. */
    Slice measure(long sliceNs) {
        long sentBefore = sent.get();
        Look from = look();
        PipelineSlices.pause(sliceNs);
        Look to = look();
        long datagrams = to.datagrams - from.datagrams;
        return new Slice(
                Units.NS_PER_S * datagrams / (to.timeNs - from.timeNs),
                Units.NS_PER_S * datagrams / (to.cpuNs - from.cpuNs),
                Math.max(0, 1 - (double) datagrams / (sent.get() - sentBefore)));
    }

    private Look look() {
        receiver.send("look");
        String[] fields = receiver.next().split(" ", -1);
        return new Look(Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    }

    private void send() {
        ByteBuffer datagram = ByteBuffer.allocateDirect(ReceiverProcess.DATAGRAM_BYTES);
        long nextNs = System.nanoTime();
        try {
            while (isRunning) {
                for (int i = 0; i < perBurst; i++) {
                    datagram.clear();
                    channel.write(datagram);
                }
                sent.addAndGet(perBurst);
                nextNs += BURST_NS;
                for (long leftNs = nextNs - System.nanoTime(); leftNs > 0; leftNs = nextNs - System.nanoTime()) {
                    LockSupport.parkNanos(leftNs);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the receiver's socket is gone", e);
        }
    }

    @Override
    public void close() throws IOException {
        isRunning = false;
        boolean interrupted = false;
        try {
            sender.join();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        receiver.close();
        channel.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
