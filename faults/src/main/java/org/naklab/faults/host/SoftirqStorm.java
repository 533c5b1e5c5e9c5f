package org.naklab.faults.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.Guard;

/**
 * A thread enters a network namespace of its own, in which all datagrams of the loopback interface are steered to the CPU of the victim, and sends
 * small datagrams to a closed port from another CPU. Long lists of packet filters make each of them costly. The victim is pinned, so that it cannot
 * get out of the way. The namespace and all that is in it end with the thread, also when this process is killed.
 */
final class SoftirqStorm implements Fault {
    private static final int KEYS = 50;
    private static final int PORT = 9;
    private static final int DATAGRAM_BYTES = 18;
    private static final long END_TIMEOUT_MS = 10_000;
    private static final long PROCESSED_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SoftirqStormFault.Parameters parameters;
    private final TargetProcess target;
    private final Guard guard;
    private final ProofLog log = new ProofLog();
    private Guard.@Nullable Promise promise;
    private @Nullable ThreadStatistics victim;
    private @Nullable Thread storm;
    private String formerCpus = "";
    private volatile boolean isDisarmed;
    private volatile @Nullable RuntimeException failure;

    SoftirqStorm(SoftirqStormFault.Parameters parameters, TargetProcess target, Guard guard) {
        this.parameters = parameters;
        this.target = target;
        this.guard = guard;
    }

    @Override
    public void arm() {
        ThreadStatistics thread = ThreadStatistics.of(target, parameters.thread());
        int cpu = thread.lastCpu();
        formerCpus = thread.allowedCpus();
        promise = guard.toRestoreAffinity(target, thread.threadId(), formerCpus);
        victim = thread;
        Commands.run(guard.act(affinity(thread.threadId(), Integer.toString(cpu))));
        Thread started = new Thread(() -> run(cpu), "naklab-storm");
        started.setDaemon(true);
        storm = started;
        started.start();
    }

    private void run(int cpu) {
        try {
            Libc.leaveNetwork();
            Commands.run(affinity(ownThreadId(), others(cpu)));
            steerTo(cpu);
            addFilters();
            flood(cpu);
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Programs that this thread starts are in its network namespace; sysfs shows that of the process that mounts it. */
    private static void steerTo(int cpu) {
        Commands.run("ip", "link", "set", "lo", "up");
        String mask = mask(cpu);
        Commands.run(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount -t sysfs sysfs /sys && echo " + mask + " > /sys/class/net/lo/queues/rx-0/rps_cpus");
    }

    /** Returns the mask of a CPU in groups of 32 bits. */
    static String mask(int cpu) {
        return String.format(Locale.ROOT, "%x", 1L << cpu % Integer.SIZE) + ",00000000".repeat(cpu / Integer.SIZE);
    }

    /** The kernel compares each datagram with all keys of a filter until the last one, which no datagram has. */
    private void addFilters() {
        Commands.run("tc", "qdisc", "add", "dev", "lo", "clsact");
        String keys = " match u32 0 0 at 0".repeat(KEYS);
        Commands.run(
                "sh",
                "-c",
                "i=0; while [ $i -lt " + parameters.filters()
                        + " ]; do echo 'filter add dev lo ingress protocol ip pref 1 u32" + keys
                        + " match u32 0xdeadbeef 0xffffffff at 12 flowid 1:1'; i=$((i + 1)); done | tc -batch -");
    }

    private void flood(int cpu) {
        long processed = SoftInterrupts.datagrams(cpu);
        long netRx = SoftInterrupts.count("NET_RX", cpu);
        ByteBuffer datagram = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
        long beginNs = System.nanoTime();
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            InetSocketAddress closed = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), PORT);
            for (int i = 0; i < parameters.datagrams() && !isDisarmed; i++) {
                datagram.clear();
                channel.send(datagram, closed);
            }
            long wanted = processed + parameters.datagrams();
            while (SoftInterrupts.datagrams(cpu) < wanted
                    && !isDisarmed
                    && System.nanoTime() - beginNs < PROCESSED_TIMEOUT_NS) {
                LockSupport.parkNanos(POLL_NS);
            }
        } catch (IOException e) {
            throw new FaultException("cannot send datagrams: " + e.getMessage(), e);
        }
        long endNs = System.nanoTime();
        long grown = SoftInterrupts.datagrams(cpu) - processed;
        log.set("cpu", cpu);
        log.set("processedDatagrams", grown);
        log.set("netRxGrowth", SoftInterrupts.count("NET_RX", cpu) - netRx);
        log.set("stormNs", endNs - beginNs);
        if (grown >= parameters.datagrams() && SoftInterrupts.count("NET_RX", cpu) > netRx) {
            log.fired(beginNs, endNs, "CPU " + cpu + " of " + parameters.thread());
        }
    }

    private static String others(int cpu) {
        return IntStream.range(0, SoftInterrupts.cpus())
                .filter(other -> other != cpu)
                .mapToObj(Integer::toString)
                .reduce((one, other) -> one + ',' + other)
                .orElseThrow(() -> new FaultException("a storm of soft interrupts needs a second CPU"));
    }

    private static long ownThreadId() {
        try {
            Path task = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return Long.parseLong(String.valueOf(task.getFileName()));
        } catch (IOException e) {
            throw new FaultException("cannot read /proc/thread-self: " + e.getMessage(), e);
        }
    }

    private static List<String> affinity(long threadId, String cpus) {
        return List.of("taskset", "-p", "-c", cpus, Long.toString(threadId));
    }

    @Override
    public void disarm() {
        Thread started = storm;
        if (started != null) {
            isDisarmed = true;
            awaitEnd(started);
            storm = null;
        }
        ThreadStatistics thread = victim;
        Guard.Promise promised = promise;
        if (thread != null && promised != null) {
            if (target.isAlive() && thread.isAlive()) {
                Commands.run(affinity(thread.threadId(), formerCpus));
            }
            promised.kept();
        }
        victim = null;
        promise = null;
    }

    private static void awaitEnd(Thread started) {
        try {
            started.join(END_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (started.isAlive()) {
            throw new FaultException("the storm of soft interrupts does not end");
        }
    }

    @Override
    public FaultProof proof() {
        RuntimeException failed = failure;
        return log.proof(
                "the kernel processed the datagrams on the CPU of " + parameters.thread(),
                failed == null
                        ? "the kernel did not process the datagrams on the CPU of " + parameters.thread()
                        : "the storm failed: " + failed.getMessage());
    }
}
