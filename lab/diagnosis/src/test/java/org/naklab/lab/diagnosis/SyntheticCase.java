package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.GC_PAUSE;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_STACK;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.PROCESS_ENDED;
import static org.naklab.lab.core.timeline.TimelineEventType.REPAIRED;
import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_UNREAD;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_BUSY;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_CONTINUED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SAMPLED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_WAITED;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

/** A case file of a seed: events of every type, of several processes and threads, of which many overlap. */
final class SyntheticCase {
    static final int FEED_PORT = 40_456;
    private static final long BEGIN_NS = 1_000_000_000_000L;
    private static final long MS = 1_000_000;
    private static final List<String> PROCESSES = List.of("mds", "gateway-1", "gateway-2");
    private static final List<String> THREADS = List.of("context", "journal", "GC Thread#0", "C2 CompilerThread0");
    private static final List<String> STATES =
            List.of("sleeping", "blocked", "preempted", "runnable", "stopped", "frozen", "traced");
    private static final List<String> KERNEL_STACKS = List.of(
            "futex_wait_queue < futex_wait < do_futex",
            "do_swap_page < handle_mm_fault < do_user_addr_fault < asm_exc_page_fault",
            "folio_wait_bit_common < filemap_fault < handle_mm_fault < asm_exc_page_fault",
            "hrtimer_nanosleep < common_nsleep",
            "io_schedule < vfs_fsync",
            "ep_poll < do_epoll_wait",
            "");
    private static final List<String> USER_STACKS = List.of(
            "__futex_abstimed_wait_common < pthread_cond_wait < Unsafe_Park",
            "_dl_fixup < _dl_runtime_resolve < poll",
            "read < FileDispatcher < Journal::append",
            "SafepointSynchronize::block < JavaThread::check",
            "");
    private static final List<String> REASONS =
            List.of("UDP_CSUM", "PROTO_MEM", "SOCKET_RCVBUFF", "NETFILTER_DROP", "NOT_SPECIFIED");

    private final RandomGenerator random;
    private final long lengthNs;

    private SyntheticCase(long seed, long lengthNs) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.lengthNs = lengthNs;
    }

    /** Returns a file with events of all types in which many overlap. */
    static CaseFile dense(long seed, int events) {
        SyntheticCase made = new SyntheticCase(seed, 4L * events * MS);
        List<TimelineEvent> all = new ArrayList<>();
        TimelineEventType[] types = TimelineEventType.values();
        for (int i = 0; i < events; i++) {
            all.add(made.event(i % 4 == 0 ? STALL : types[made.random.nextInt(types.length)]));
        }
        return made.file(all);
    }

    /** Returns a file of a run of hours: of 20 events one is a stall, and most of the others tell of it. */
    static CaseFile longRun(long seed, int events) {
        SyntheticCase made = new SyntheticCase(seed, 100L * events * MS);
        List<TimelineEvent> all = new ArrayList<>();
        List<TimelineEventType> others = List.of(
                THREAD_ABSENT,
                THREAD_ABSENT,
                THREAD_ABSENT,
                THREAD_ABSENT,
                THREAD_ABSENT,
                PAGE_FAULT,
                PAGE_FAULT,
                THREAD_SAMPLED,
                THREAD_SAMPLED,
                DATAGRAMS_DROPPED,
                NAK_SENT,
                REPAIRED,
                SOCKET_DEPTH_RISE,
                SOCKET_DRAINED,
                SAFEPOINT,
                GC_PAUSE,
                THREAD_BUSY,
                JAVA_STACK,
                THREAD_WAITED);
        long fromNs = BEGIN_NS;
        for (int i = 0; i < events; i++) {
            if (i % 20 == 0) {
                fromNs = BEGIN_NS + 100L * i * MS + made.random.nextLong(1_000 * MS);
                all.add(made.event(STALL, fromNs, "mds", "context"));
            } else {
                String thread = i % 4 == 0 ? made.oneOf(THREADS) : "context";
                long timeNs = fromNs + made.random.nextLong(-20 * MS, 60 * MS);
                all.add(made.event(others.get(i % 20 - 1), timeNs, "mds", thread));
            }
        }
        return made.file(all);
    }

    private CaseFile file(List<TimelineEvent> all) {
        PROCESSES.forEach(process -> all.add(TimelineEvent.of(
                BEGIN_NS,
                KERNEL_RECORDED,
                process,
                "",
                Samples.whole(
                        KERNEL_RECORDED.form(),
                        Map.of("durationNs", lengthNs, "source", "bpf", "arrivals", true, "group", "224.0.1.1")))));
        all.sort(Comparator.comparingLong(TimelineEvent::timeNs));
        List<CaseFile.Receiver> receivers = PROCESSES.stream()
                .map(name -> new CaseFile.Receiver(
                        name,
                        new CaseFile.Receiver.Events(1_000_000, 0),
                        new CaseFile.Receiver.Losses(
                                random.nextInt(-1, 500), random.nextInt(900), random.nextInt(2), 0, 0)))
                .toList();
        return new CaseFile(
                "mds",
                FEED_PORT,
                new Interval(BEGIN_NS + lengthNs / 20, BEGIN_NS + lengthNs),
                all,
                receivers,
                Map.of(SeriesName.of("heartbeat.mds.mds-context.gapNs"), 1L),
                List.of());
    }

    private TimelineEvent event(TimelineEventType type) {
        String thread = type == TIMER_LATE ? "" : oneOf(THREADS);
        return event(type, BEGIN_NS + random.nextLong(lengthNs), oneOf(PROCESSES), thread);
    }

    private TimelineEvent event(TimelineEventType type, long timeNs, String process, String thread) {
        Map<String, Object> details = new TreeMap<>();
        long durationNs = random.nextLong(1, 40 * MS);
        details.put("port", (long) (FEED_PORT + random.nextInt(6) / 5));
        details.put("inode", (long) random.nextInt(3));
        switch (type) {
            case STALL -> {
                details.put("durationMs", (random.nextInt(10) == 0 ? 250 : 20) + random.nextDouble(40));
                details.put("overflow", random.nextInt(9) == 0);
                details.put("processorWaitMs", random.nextDouble(5));
            }
            case SOCKET_DRAINED -> {
                details.put("beganNs", timeNs - durationNs);
                details.put("peakNs", timeNs - durationNs / 2);
            }
            case THREAD_CONTINUED, THREAD_SLEPT, SOCKET_UNREAD -> details.put("beganNs", timeNs - durationNs);
            case NAK_SENT -> details.put("naks", (long) random.nextInt(1, 9));
            case DATAGRAMS_DROPPED -> {
                details.put("datagrams", (long) random.nextInt(1, 90));
                details.put("detectedNs", timeNs + random.nextLong(20 * MS));
            }
            case TIMER_LATE -> details.put("latenessNs", durationNs);
            case PROCESS_ENDED -> details.put("how", "");
            default -> details.put("durationNs", durationNs);
        }
        details.put("blockedNs", durationNs / random.nextInt(1, 4));
        details.put("runnableNs", durationNs / 8);
        details.put("reclaimNs", durationNs / random.nextInt(1, 3));
        details.put("cpuNs", durationNs / random.nextInt(1, 30));
        details.put("throttledNs", durationNs);
        details.put("toSafepointNs", durationNs / 3);
        details.put("gcId", (long) random.nextInt(500));
        details.put("state", oneOf(STATES));
        details.put("wakerState", random.nextInt(3) == 0 ? oneOf(STATES) : "");
        details.put("wakerWaitNs", durationNs);
        details.put("wakerOfProcess", random.nextBoolean());
        details.put("waker", oneOf(THREADS));
        details.put("kernelStack", oneOf(KERNEL_STACKS));
        details.put("userStack", oneOf(USER_STACKS));
        details.put("code", random.nextInt(3) == 0 ? "ld-linux-x86-64.so.2 .text" : "libc.so.6 .text");
        details.put("place", random.nextInt(3) == 0 ? "group membership" : "libc.so.6 .text");
        details.put("major", random.nextBoolean());
        details.put("native", random.nextBoolean());
        details.put("kind", random.nextBoolean() ? "lock" : "sleep");
        details.put("what", random.nextBoolean() ? "parked" : "waited");
        details.put("where", "Journal.append");
        details.put("operation", random.nextBoolean() ? "G1CollectForAllocation" : "HeapDump");
        details.put("reason", oneOf(REASONS));
        details.put("count", (long) random.nextInt(1, 50));
        details.put("datagrams", details.getOrDefault("datagrams", 3L));
        details.put("senderState", oneOf(STATES));
        details.put("senderAbsentNs", durationNs);
        details.put("symbol", "recvmmsg");
        details.put("cgroup", "/replica");
        return TimelineEvent.of(timeNs, type, process, thread, Samples.part(type.form(), details));
    }

    private String oneOf(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }
}
