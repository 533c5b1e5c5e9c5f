package org.naklab.lab.instruments.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.kernel.cores.CoreSharing;
import org.naklab.lab.instruments.kernel.datagrams.ArrivalCount;
import org.naklab.lab.instruments.kernel.datagrams.DatagramFlow;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.kernel.datagrams.FeedArrivals;
import org.naklab.lab.instruments.kernel.datagrams.SocketDeliveries;
import org.naklab.lab.instruments.kernel.datagrams.SocketReceipts;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.linux.NetworkNamespace;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.ObserverProcesses;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.sockets.PortOwners;

/**
 * Reports, from the kernel's record, when and why the threads that receive were off the CPU, the page faults that they waited for, and the UDP datagrams
 * that the kernel discarded in the network namespaces of these processes and of this one, or on the side of a feed's sender on this host.
 */
public final class KernelInstrument implements Instrument {
    /** Names in the kernel are cut after so many bytes. */
    private static final int COMM_BYTES = 15;

    private static final long PERIOD_NS = 1_000 * MILLISECOND_NS;
    /** A recorder that has said nothing for so long may never end by itself. */
    private static final long STUCK_NS = 3_000 * MILLISECOND_NS;

    private static final long STUCK_CLOSE_S = 10;

    /** Begins of the names of threads that observe, in a process that watches itself. */
    private static final List<String> INSTRUMENTS = List.of("naklab-", "kernel-recorder");

    private final Map<Integer, Subject> subjects = new HashMap<>();
    /** Of all threads of these processes; the recorder's thread's own. */
    private final WaitChain chain = new WaitChain();

    private final ObserverProcesses observers = new ObserverProcesses();
    private final Set<Long> namespaces = new HashSet<>();
    private final Map<Long, String> receivers = new TreeMap<>();
    private final SocketDeliveries deliveries;
    private final SocketReceipts receipts = new SocketReceipts();
    private final TimelineListener listener;
    private final Labelling labels;
    private final CoreSharing sharing;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final AtomicLong reachedNs;
    private final long beganNs;
    private final boolean isDeferred;
    private final KernelRecorder recorder;
    /** Held while the arrivals of a feed are judged. */
    private final Object judging = new Object();

    private volatile @Nullable Followed followed;
    private volatile boolean isSenderLost;
    private volatile boolean isEnded;
    private volatile boolean isEndTold;
    private boolean isFinished;

    /** Gives threads the names that they have on the timeline. */
    @FunctionalInterface
    public interface Labelling {
        /**
         * Returns the name of a thread.
         *
         * @param comm the name that the kernel has
         */
        String of(int tid, String comm);
    }

    /**
     * A process whose threads are recorded.
     *
     * @param pid on the host
     * @param name of the process, as on the timeline
     * @param thread the name of the thread that receives; empty: all threads are reported
     * @param isMemoryUnderTest whether pages of its files must not come into memory by being looked at
     */
    public record Subject(long pid, String name, String thread, boolean isMemoryUnderTest) {
        /** Returns a process of which all threads are reported. */
        public static Subject ofAllThreads(long pid, String name) {
            return new Subject(pid, name, "", false);
        }

        private String comm() {
            return thread.length() <= COMM_BYTES ? thread : thread.substring(0, COMM_BYTES);
        }

        private boolean isOfThread(TaskId task) {
            return thread.isEmpty() || task.comm().equals(comm());
        }
    }

    /** The feed whose arriving datagrams are recorded, since a time, ns. */
    private record Followed(Feed feed, FeedArrivals arrivals, long sinceNs) {}

    /** Answers what the instrument asks of the machine, or of a recording of one. */
    interface Machine {
        /** The machine on which this JVM runs. */
        Machine THIS = new Machine() {
            @Override
            public long namespaceOf(long pid) {
                return NetworkNamespace.inodeOf(pid);
            }

            @Override
            public KernelRecorder record(
                    Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener) {
                return KernelRecorder.start(pids, settings, listener);
            }
        };

        /** Returns the inode of the network namespace of a process. */
        long namespaceOf(long pid);

        /** Starts recording; returns when it records. */
        KernelRecorder record(Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener);
    }

    KernelInstrument(
            Machine machine,
            Collection<Subject> subjects,
            @Nullable Feed feed,
            Labelling labels,
            long interruptNs,
            RecorderSettings.Sampling sampling,
            TimelineListener listener) {
        this(machine, subjects, feed, false, labels, interruptNs, sampling, listener);
    }

    /** @param isFollowing whether another feed may be recorded later, see {@link #follow} */
    KernelInstrument(
            Machine machine,
            Collection<Subject> subjects,
            @Nullable Feed feed,
            boolean isFollowing,
            Labelling labels,
            long interruptNs,
            RecorderSettings.Sampling sampling,
            TimelineListener listener) {
        this.labels = labels;
        subjects.forEach(subject -> this.subjects.put(Math.toIntExact(subject.pid()), subject));
        this.listener = listener;
        sharing = new CoreSharing(listener);
        namespaces.add(machine.namespaceOf(ProcessHandle.current().pid()));
        subjects.forEach(subject -> namespaces.add(machine.namespaceOf(subject.pid())));
        String sender = feed == null ? "" : feed.sender();
        subjects.stream()
                .filter(subject -> !subject.name().equals(sender))
                .forEach(subject ->
                        receivers.merge(machine.namespaceOf(subject.pid()), subject.name(), (a, b) -> a + "," + b));
        isDeferred = subjects.stream().anyMatch(Subject::isMemoryUnderTest);
        followed = feed == null ? null : following(feed);
        deliveries = new SocketDeliveries(receivers.keySet());
        boolean isOfAll = subjects.stream().anyMatch(subject -> subject.thread().isEmpty());
        RecorderSettings settings = RecorderSettings.DEFAULT
                .ofThreads(
                        isOfAll
                                ? List.of()
                                : subjects.stream()
                                        .map(Subject::comm)
                                        .distinct()
                                        .toList())
                .ofPort(feed == null ? 0 : feed.port())
                // Each socket has a copy of a multicast datagram: nobody takes it from another one.
                .withDeliveries(feed != null && feed.isUnicast())
                .withInterrupts(interruptNs)
                .withSamples(sampling);
        RecorderSettings lasting = isFollowing ? settings.asFollowing() : settings;
        reachedNs = new AtomicLong(System.nanoTime());
        recorder = machine.record(
                subjects.stream().map(Subject::pid).toList(),
                isDeferred ? lasting.asDeferred() : lasting,
                this::onRecord);
        beganNs = System.nanoTime();
        // To start takes longer than a recorder may be silent: before, there was nothing to see.
        reachedNs.accumulateAndGet(beganNs, Math::max);
    }

    /**
     * Starts recording; returns when the recorder works.
     *
     * @param listener receives the events, on a thread of the recorder
     * @throws DetectException if no source is available; the message says why, and what to do
     */
    public static KernelInstrument start(Collection<Subject> subjects, TimelineListener listener) {
        return start(subjects, null, (tid, comm) -> comm, RecorderSettings.Sampling.NONE, listener);
    }

    /**
     * Starts recording, with the datagrams that come in for a feed; returns when the recorder works.
     *
     * @param subjects the receivers, and the sender if it is observed
     * @param listener receives the events, on a thread of the recorder
     * @throws DetectException if no source is available; the message says why, and what to do
     */
    public static KernelInstrument start(Collection<Subject> subjects, Feed feed, TimelineListener listener) {
        return start(subjects, feed, 0, listener);
    }

    /**
     * Starts recording, with the datagrams that come in for a feed and with interrupts; returns when the recorder works.
     *
     * @param interruptNs interrupts of the receiving threads as long as this and longer are recorded, ns; 0: none, for they come thousands of times a second
     * @param listener receives the events, on a thread of the recorder
     * @throws DetectException if no source is available; the message says why, and what to do
     */
    public static KernelInstrument start(
            Collection<Subject> subjects, Feed feed, long interruptNs, TimelineListener listener) {
        return new KernelInstrument(
                Machine.THIS,
                subjects,
                feed,
                (tid, comm) -> comm,
                interruptNs,
                RecorderSettings.Sampling.NONE,
                listener);
    }

    private Followed following(Feed feed) {
        Map<Long, String> processes = new HashMap<>();
        subjects.values().forEach(subject -> processes.put(subject.pid(), subject.name()));
        PortOwners owners = new PortOwners(processes, System::nanoTime);
        return new Followed(
                feed, new FeedArrivals(feed, receivers, owners::ownerOf, isDeferred, listener), System.nanoTime());
    }

    /**
     * Starts recording, with the datagrams that come in for a feed that may change; returns when the recorder works.
     *
     * @param feed at first; {@code null}: none
     * @param labels under which threads are reported whose subject names no thread
     * @param sampling how often the stack of a thread is recorded that is on a CPU
     * @param listener receives the events, on a thread of the recorder
     * @throws DetectException if no source is available; the message says why, and what to do
     */
    public static KernelInstrument startFollowing(
            Collection<Subject> subjects,
            @Nullable Feed feed,
            Labelling labels,
            RecorderSettings.Sampling sampling,
            TimelineListener listener) {
        return new KernelInstrument(Machine.THIS, subjects, feed, true, labels, 0, sampling, listener);
    }

    /**
     * Records the arriving datagrams of another feed from now on. Of the one before, a silence that goes on is not told: nobody listens any more.
     *
     * @param feed {@code null}: none
     * @throws DetectException the recorder has ended
     */
    public void follow(@Nullable Feed feed) {
        recorder.watchPort(feed == null ? 0 : feed.port());
        synchronized (judging) {
            Followed before = followed;
            followed = feed == null ? null : following(feed);
            if (before != null) {
                before.arrivals().finish(Long.MIN_VALUE);
            }
        }
    }

    /** Asks the recorder for all that it has recorded so far; {@link #recordedNs} says when that has come. Any thread. */
    public void tell() {
        try {
            recorder.tell();
        } catch (DetectException ended) {
            // A recorder that has ended brings no more, which recordedNs and refresh say.
            return;
        }
    }

    /**
     * Starts recording; returns when the recorder works.
     *
     * @param feed whose arriving datagrams are recorded; {@code null}: none
     * @param labels under which threads are reported whose subject names no thread
     * @param sampling how often the stack of a thread is recorded that is on a CPU
     * @param listener receives the events, on a thread of the recorder
     * @throws DetectException if no source is available; the message says why, and what to do
     */
    public static KernelInstrument start(
            Collection<Subject> subjects,
            @Nullable Feed feed,
            Labelling labels,
            RecorderSettings.Sampling sampling,
            TimelineListener listener) {
        return new KernelInstrument(Machine.THIS, subjects, feed, labels, 0, sampling, listener);
    }

    /** Returns how many datagrams a socket at the port of a unicast feed has got, of whatever process; 0 if it is not known. Any thread. */
    public long delivered(long inode) {
        Followed watched = followed;
        return watched != null && watched.feed().isUnicast() ? deliveries.of(inode) : 0;
    }

    /** Returns the labels of the threads that have lately taken datagrams from a socket; empty if it is not known. Any thread. */
    public Set<String> receiversOf(long inode) {
        return receipts.of(inode);
    }

    /** Returns the source of the records. */
    public RecorderSource source() {
        return recorder.source();
    }

    @Override
    public String title() {
        return "the kernel recorder";
    }

    @Override
    public String describe() {
        String source = "waits and page faults of receiving threads, discarded datagrams, by "
                + recorder.source().description();
        return recorder.missing().isEmpty() ? source : source + "; " + String.join("; ", recorder.missing());
    }

    /** Nothing to poll: the recorder calls. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    /** The recorder says twice a second that it has delivered all, until it ends. */
    @Override
    public long reachedNs(long nowNs) {
        return reachedNs.get();
    }

    /**
     * Returns the time until which no record is to come any more, ns: a recorder that has ended brings none, whatever it has seen. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public long recordedNs(long nowNs) {
        return isEnded ? nowNs : reachedNs.get();
    }

    /** A recorder that has ended by itself is told at once. */
    @Override
    public boolean isRefreshDue() {
        return failure.get() != null && !isEndTold;
    }

    /** @throws DetectException records were lost, or the recorder has ended by itself */
    @Override
    public void refresh(long nowNs) {
        if (isRefreshDue()) {
            isEndTold = true;
            throw incomplete();
        }
    }

    private DetectException incomplete() {
        return new DetectException("the kernel's record is incomplete: " + failure.get());
    }

    /** Ends the recording, and reports for which time it is complete. Places are resolved by what the processes have mapped, so they should still live. */
    public synchronized void finish() {
        if (isFinished) {
            return;
        }
        isFinished = true;
        long endNs = System.nanoTime();
        if (endNs - reachedNs(endNs) > STUCK_NS) {
            recorder.closeWithin(STUCK_CLOSE_S);
        } else {
            recorder.close();
        }
        sharing.finish();
        synchronized (judging) {
            Followed watched = followed;
            if (watched != null) {
                // What was not recorded was not silent.
                watched.arrivals().finish(failure.get() == null ? endNs : reachedNs.get());
            }
        }
        recordedUntil(endNs).forEach(listener::onEvent);
    }

    /**
     * Returns for each process an event that says from when until now the record is complete; none if records were lost.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public List<TimelineEvent> recordedUntil(long nowNs) {
        if (failure.get() != null) {
            return List.of();
        }
        Followed watched = followed;
        boolean isFromBegin = watched == null || watched.sinceNs() - beganNs <= 0;
        List<TimelineEvent> events = new ArrayList<>();
        for (Subject subject : subjects.values()) {
            events.add(recorded(subject, isFromBegin ? watched : null, new Interval(beganNs, nowNs)));
            if (watched != null && !isFromBegin) {
                events.add(recorded(subject, watched, new Interval(watched.sinceNs(), nowNs)));
            }
        }
        return events;
    }

    private TimelineEvent recorded(Subject subject, @Nullable Followed watched, Interval time) {
        return new DatagramEvent.KernelRecorded(
                time,
                subject.name(),
                recorder.source().label(),
                watched != null && recorder.source() == RecorderSource.BPF && !isSenderLost,
                watched == null ? "" : watched.feed().group(),
                watched == null ? 0 : watched.feed().port());
    }

    /**
     * Ends the recording if it goes on.
     *
     * @throws DetectException if records were lost
     */
    @Override
    public void close() {
        finish();
        if (isRefreshDue()) {
            throw incomplete();
        }
    }

    private void onRecord(KernelRecord kernelRecord) {
        if (kernelRecord instanceof Absence absence) {
            onAbsence(absence);
        } else if (kernelRecord instanceof BusySpell spell) {
            onSpell(spell);
        } else if (kernelRecord instanceof KernelRecord.ShortWaits waits) {
            report(waits.task(), (process, thread) -> ThreadRecords.toEvent(waits, process, thread));
        } else if (kernelRecord instanceof KernelRecord.Reclaim reclaim) {
            report(reclaim.task(), (process, thread) -> ThreadRecords.toEvent(reclaim, process, thread));
        } else if (kernelRecord instanceof KernelRecord.Sample sample) {
            report(sample.task(), (process, thread) -> ThreadRecords.toEvent(sample, process, thread));
        } else if (kernelRecord instanceof KernelRecord.Shared shared) {
            onShared(shared);
        } else if (kernelRecord instanceof KernelRecord.Interrupt interrupt) {
            onInterrupt(interrupt);
        } else if (kernelRecord instanceof PageFaultSpan fault) {
            onFault(fault);
        } else if (kernelRecord instanceof DatagramRecord datagrams) {
            onDatagrams(datagrams);
        } else if (kernelRecord instanceof KernelRecord.Deliveries each) {
            deliveries.onDeliveries(each.inode(), each.netns(), each.count());
        } else if (kernelRecord instanceof KernelRecord.Receipts each) {
            onReceipts(each);
        } else if (kernelRecord instanceof LostRecords lost) {
            onLost(lost);
        } else if (kernelRecord instanceof KernelRecord.Alive alive) {
            reachedNs.accumulateAndGet(alive.timeNs(), Math::max);
        } else if (kernelRecord instanceof KernelRecord.RecorderEnd end) {
            isEnded = true;
            if (!end.reason().isEmpty()) {
                failure.compareAndSet(null, end.reason());
            }
        }
    }

    private void onReceipts(KernelRecord.Receipts each) {
        Subject subject = subjects.get(each.task().pid());
        if (subject != null) {
            receipts.onReceipts(each.inode(), label(subject, each.task()), each.lastNs());
        }
    }

    private void onAbsence(Absence absence) {
        chain.add(absence);
        Subject subject = subjects.get(absence.task().pid());
        if (subject == null || !subject.isOfThread(absence.task())) {
            return;
        }
        Waking waking = absence.waking();
        TaskId next = absence.instead();
        Interval interval = absence.interval(System.nanoTime());
        ThreadAbsence absent = new ThreadAbsence(
                subject.name(),
                label(subject, absence.task()),
                interval,
                absence.isOpen() ? interval.lengthNs() : absence.blockedNs(),
                absence.state(),
                waking == null ? "" : waking.waker().comm(),
                waking != null && waking.waker().pid() == absence.task().pid(),
                waking != null && waking.byInterrupt(),
                waking == null ? ThreadAbsence.Ending.UNKNOWN : waking.ending(),
                next == null || next.isIdle() ? "" : nameOf(next),
                absence.longestNs(),
                ThreadRecords.halter(absence),
                ThreadRecords.fileLock(absence),
                absence.socketCall() == null ? null : absence.socketCall().sockets(),
                chain.beforeWaking(absence),
                faultOf(absence),
                absence.kernelStack(),
                ThreadRecords.names(absence.userStack()));
        synchronized (judging) {
            Followed watched = followed;
            if (watched != null) {
                watched.arrivals().onAbsence(absent);
            }
        }
        listener.onEvent(absent);
    }

    /** What the instruments take of a CPU is not to be taken for the doing of others. */
    private String nameOf(TaskId task) {
        boolean isOfSubject = subjects.containsKey(task.pid());
        boolean isObserver = observers.contains(task.pid())
                && (!isOfSubject || INSTRUMENTS.stream().anyMatch(task.comm()::startsWith));
        return isObserver ? ThreadAbsence.ofLab(task.comm()) : task.comm();
    }

    private void onShared(KernelRecord.Shared shared) {
        Subject subject = subjects.get(shared.task().pid());
        if (subject != null && subject.isOfThread(shared.task())) {
            Interval interval = new Interval(shared.beginNs(), shared.endNs());
            sharing.onShared(new CoreShared(
                    subject.name(),
                    label(subject, shared.task()),
                    shared.cpu(),
                    nameOf(shared.other()),
                    interval,
                    new CoreShared.Share(1, interval.lengthNs(), interval.lengthNs())));
        }
    }

    private void onInterrupt(KernelRecord.Interrupt interrupt) {
        Subject subject = subjects.get(interrupt.task().pid());
        if (subject != null && subject.isOfThread(interrupt.task())) {
            listener.onEvent(new ThreadEvent.Interrupted(
                    new Interval(interrupt.beginNs(), interrupt.endNs()),
                    subject.name(),
                    label(subject, interrupt.task()),
                    interrupt.kind().name().toLowerCase(Locale.ROOT),
                    interrupt.name(),
                    interrupt.cpu(),
                    interrupt.lateNs()));
        }
    }

    private void onSpell(BusySpell spell) {
        Subject subject = subjects.get(spell.task().pid());
        if (subject != null) {
            listener.onEvent(new ThreadBusy(
                    subject.name(),
                    spell.task().comm(),
                    new Interval(spell.beginNs(), spell.endNs()),
                    spell.cpuNs(),
                    spell.runnableNs(),
                    spell.faultNs()));
        }
    }

    /** @param event of the names of the process and the thread */
    private void report(TaskId task, BiFunction<String, String, TimelineEvent> event) {
        Subject subject = subjects.get(task.pid());
        if (subject != null && subject.isOfThread(task)) {
            listener.onEvent(event.apply(subject.name(), label(subject, task)));
        }
    }

    private String label(Subject subject, TaskId task) {
        return subject.thread().isEmpty() ? labels.of(task.tid(), task.comm()) : subject.thread();
    }

    private void onFault(PageFaultSpan fault) {
        Subject subject = subjects.get(fault.task().pid());
        if (subject == null || !subject.isOfThread(fault.task()) || fault.endNs() == 0) {
            return;
        }
        listener.onEvent(new PageFault(
                subject.name(),
                label(subject, fault.task()),
                new Interval(fault.beginNs(), fault.endNs()),
                fault.major(),
                placeOf(fault.target()),
                placeOf(fault.code()),
                pageOf(fault)));
    }

    private static ThreadAbsence.@Nullable Fault faultOf(Absence absence) {
        PageFaultSpan fault = absence.fault();
        return fault == null ? null : new ThreadAbsence.Fault(placeOf(fault.target()), pageOf(fault));
    }

    private static PageFault.Page pageOf(PageFaultSpan fault) {
        MappedPlace target = fault.target();
        return new PageFault.Page(
                "0x" + Long.toHexString(fault.address()),
                target == null ? "" : target.file(),
                target == null ? "" : target.section());
    }

    private static String placeOf(@Nullable MappedPlace place) {
        return place == null ? "" : place.shortName();
    }

    /** Without some senders, or without samples, the rest of the record is complete. */
    private void onLost(LostRecords lost) {
        if (lost.what().equals("senders")) {
            isSenderLost = true;
        } else if (!lost.what().equals("samples")) {
            failure.compareAndSet(null, lost.count() + " " + lost.what() + " lost");
        }
    }

    private void onDatagrams(DatagramRecord datagrams) {
        if (datagrams instanceof DatagramRecord.Drops drops) {
            onDrops(drops);
            return;
        }
        synchronized (judging) {
            Followed watched = followed;
            // A record of the feed before may still come.
            if (watched != null && datagrams.flow().port() == watched.feed().port()) {
                judge(datagrams, watched.arrivals());
            }
        }
    }

    private static void judge(DatagramRecord datagrams, FeedArrivals arrivals) {
        if (datagrams instanceof DatagramRecord.Arrivals count) {
            arrivals.onArrivals(
                    count.flow(),
                    new ArrivalCount(count.timeNs(), count.count(), count.bytes(), count.firstNs(), count.lastNs()));
        } else if (datagrams instanceof DatagramRecord.Gap gap) {
            arrivals.onGap(gap.flow(), gap.interval());
        }
    }

    /** Other network namespaces may use the same addresses and ports: of those, only what the feed has come from is told. */
    private void onDrops(DatagramRecord.Drops drops) {
        DatagramFlow flow = drops.flow();
        boolean isElsewhere = flow.netns() != 0 && !namespaces.contains(flow.netns());
        if (isElsewhere && !isOfFeed(flow)) {
            return;
        }
        listener.onEvent(new DatagramEvent.Discarded(
                new Interval(drops.beginNs(), drops.endNs()),
                TimelineEvent.HOST,
                new DatagramEvent.Flow(flow.source(), flow.destination(), flow.port()),
                drops.count(),
                new DatagramEvent.Discarded.Place(drops.reason(), drops.location(), drops.inode()),
                new DatagramEvent.Discarded.Packet(
                        flow.fragment(),
                        flow.netns() == 0 || receivers.containsKey(flow.netns()),
                        isElsewhere ? flow.netns() : null)));
    }

    private boolean isOfFeed(DatagramFlow flow) {
        synchronized (judging) {
            Followed watched = followed;
            return watched != null && watched.arrivals().hasArrivedFrom(flow);
        }
    }
}
