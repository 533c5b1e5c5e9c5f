package org.naklab.lab.instruments.watch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.AeronDiscovery;
import org.naklab.lab.instruments.aeron.AeronInstrument;
import org.naklab.lab.instruments.aeron.DriverThreads;
import org.naklab.lab.instruments.aeron.KernelBypassInstrument;
import org.naklab.lab.instruments.aeron.SubscriptionInstrument;
import org.naklab.lab.instruments.aeron.SubscriptionSummary;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.instruments.jvm.JvmInstrument;
import org.naklab.lab.instruments.kernel.KernelInstrument;
import org.naklab.lab.instruments.kernel.RecorderSettings;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.instruments.kernel.counters.ThrottleInstrument;
import org.naklab.lab.instruments.kernel.counters.UdpErrorInstrument;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.linux.CpuUsageHistory;
import org.naklab.lab.instruments.memory.MemoryInstrument;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.threads.HiccupInstrument;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.instruments.threads.ProcessThreadsInstrument;
import org.naklab.lab.instruments.threads.ReceiverStallDetector;
import org.naklab.lab.instruments.threads.SocketReaders;
import org.naklab.lab.instruments.threads.StandstillClaims;
import org.naklab.lab.instruments.threads.ThreadLabels;
import org.naklab.lab.instruments.trace.TraceUndo;

/**
 * The instruments on any running process that receives UDP, Aeron or not, Java or not: sockets, threads, memory, timer lateness, and Aeron's
 * counters if the process has a driver's file mapped. Events are told as they happen, on one thread.
 */
public final class Watch implements AutoCloseable {
    private final InstrumentRunner runner;

    private final SocketDepthInstrument sockets;
    private final Supplier<Set<String>> readers;
    private final LongFunction<Set<String>> readersOf;
    private final @Nullable SubscriptionInstrument subscriptions;
    private final @Nullable KernelInstrument kernel;
    private final @Nullable WatchRecording recording;
    private final List<String> missing;
    private final WatchCoverage coverage;
    private final ReceiverStallDetector detector;
    private final long beganNs;

    private Watch(
            InstrumentRunner runner,
            SocketDepthInstrument sockets,
            Supplier<Set<String>> readers,
            LongFunction<Set<String>> readersOf,
            @Nullable SubscriptionInstrument subscriptions,
            @Nullable KernelInstrument kernel,
            @Nullable WatchRecording recording,
            List<String> missing,
            WatchCoverage coverage,
            ReceiverStallDetector detector) {
        this.runner = runner;
        this.sockets = sockets;
        this.readers = readers;
        this.readersOf = readersOf;
        this.subscriptions = subscriptions;
        this.kernel = kernel;
        this.recording = recording;
        this.missing = List.copyOf(missing);
        this.coverage = coverage;
        this.detector = detector;
        beganNs = System.nanoTime();
    }

    /**
     * Attaches and starts.
     *
     * @param process name for events
     * @param consumers take all samples, for instance a {@link IncidentRecorder}; closed with the watch
     * @param errorHandler of what should not happen
     * @throws DetectException no such process, or its sockets are out of reach
     */
    public static Watch attach(
            String process,
            long pid,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        return attach(process, pid, null, listener, consumers, null, errorHandler);
    }

    /**
     * Attaches to the media driver of an Aeron unit or to one of its clients: streams are seen in the driver's counters. The recorder is not armed: attaching to the
     * other members takes CPU time, which lets the sockets of this one fill up.
     *
     * @param directories of the windows; {@code null}: nothing is recorded
     * @param consumers take all samples; closed with the watch
     * @throws DetectException as above, or the driver has ended
     */
    public static Watch attachMember(
            String process,
            UnitMember member,
            StandstillClaims claims,
            @Nullable WindowDirectories directories,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        WatchRecording recording = directories == null ? null : WatchRecording.into(directories, null);
        List<SampleConsumer> all = new ArrayList<>(consumers);
        if (recording != null) {
            addRecorder(recording, all);
        }
        return attach(process, member.pid(), new Membership(member, claims), listener, all, recording, errorHandler);
    }

    /** Holds what a process of an Aeron unit shares with the others. */
    record Membership(UnitMember member, StandstillClaims claims) {}

    /**
     * Attaches an incident recorder too, to whose window perf and, for a JVM, JFR add their parts; a recording is started in
     * that JVM.
     *
     * @param directory for the window; made if there is none
     * @throws DetectException as above, or the directory cannot be made, or holds a window already
     */
    public static Watch attachRecording(
            String process, long pid, Path directory, TimelineListener listener, ErrorHandler errorHandler) {
        return attachRecording(
                process, pid, WindowDirectories.of(directory, 1), listener, List.of(), null, errorHandler);
    }

    /**
     * Attaches an incident recorder too, which writes windows as long as there are directories for them.
     *
     * @param consumers take all samples beside the recorder; closed with the watch
     * @param undo removes the kernel's trace if this process is killed; {@code null}: the kernel does not trace
     * @throws DetectException no such process, or its sockets are out of reach
     */
    public static Watch attachRecording(
            String process,
            long pid,
            WindowDirectories directories,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            @Nullable TraceUndo undo,
            ErrorHandler errorHandler) {
        WatchRecording recording = WatchRecording.into(directories, undo);
        List<SampleConsumer> all = new ArrayList<>(consumers);
        addRecorder(recording, all);
        return attach(process, pid, null, listener, all, recording, errorHandler);
    }

    private static void addRecorder(WatchRecording recording, List<SampleConsumer> consumers) {
        IncidentRecorder recorder = recording.recorder();
        if (recorder != null) {
            consumers.add(recorder);
        }
    }

    /**
     * Attaches for users that come and go, each with a recorder of its own, see {@link #newRecorder} and {@link #cutAfter}. The feed whose senders and silences are
     * watched changes with the open sockets, and all threads may receive.
     *
     * @param directory for files of the instruments; exists
     * @param consumers take all samples; closed with the watch
     * @throws DetectException no such process, or its sockets are out of reach
     */
    public static Watch attachShared(
            String process,
            long pid,
            Path directory,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        return attach(process, pid, null, listener, consumers, WatchRecording.shared(directory), errorHandler);
    }

    private static Watch attach(
            String process,
            long pid,
            @Nullable Membership membership,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            @Nullable WatchRecording recording,
            ErrorHandler errorHandler) {
        if (ProcessHandle.of(pid).isEmpty()) {
            throw new InputException("no process " + pid);
        }
        return attach(
                process,
                pid,
                membership,
                new InstrumentRunner(SystemNanoClock.INSTANCE, listener, consumers, errorHandler),
                recording);
    }

    /** @param runner runs the instruments; closed with the watch */
    static Watch attach(
            String process,
            long pid,
            @Nullable Membership membership,
            InstrumentRunner runner,
            @Nullable WatchRecording recording) {
        try {
            return new Attachment(process, pid, membership, SystemNanoClock.INSTANCE, runner).attach(recording);
        } catch (DetectException e) {
            runner.close();
            throw e;
        }
    }

    /** Attaches the instruments of one process, in the order in which they end: the detector of stalls needs the others' last events. */
    private static final class Attachment {
        private final String process;
        private final long pid;
        private final @Nullable Membership membership;
        private final NanoClock clock;
        private final InstrumentRunner runner;
        private final List<String> missing = new ArrayList<>();
        private volatile @Nullable KernelBypassInstrument channels;

        Attachment(
                String process, long pid, @Nullable Membership membership, NanoClock clock, InstrumentRunner runner) {
            this.process = process;
            this.pid = pid;
            this.membership = membership;
            this.clock = clock;
            this.runner = runner;
        }

        Watch attach(@Nullable WatchRecording recording) {
            long attachingNs = clock.nanoTime();
            AtomicReference<@Nullable SocketDepthInstrument> opened = new AtomicReference<>();
            ThreadLabels labels = ThreadLabels.ofProcess(pid);
            AtomicReference<@Nullable KernelInstrument> recorded = new AtomicReference<>();
            SocketReaders readers = new SocketReaders(
                    pid, () -> inodes(opened.get()), inode -> receivers(recorded.get(), inode), labels);
            DriverThreads driverThreads = driverThreads(labels);
            ReceiverStallDetector events = new ReceiverStallDetector(
                    process,
                    inode -> orElse(readers.of(inode), driverReaders(driverThreads, opened.get(), inode)),
                    () -> ProcessHandle.of(pid).isPresent(),
                    nowNs -> recordedNs(recorded.get(), nowNs),
                    membership == null ? new StandstillClaims() : membership.claims(),
                    readers.watched(),
                    labels,
                    runner.events());
            SocketDepthInstrument sockets = SocketDepthInstrument.attachToForeign(process, pid, events, clock);
            opened.set(sockets);
            runner.add(sockets);
            boolean isShared = recording != null && recording.recorder() == null;
            Optional<Feed> feed = ReceivedFeed.of(sockets.open());
            KernelInstrument kernel = add(() -> startKernel(feed.orElse(null), isShared, labels, events));
            recorded.set(kernel);
            if (isShared && kernel != null) {
                runner.add(follower(kernel, sockets, feed));
            }
            runner.add(new ProcessThreadsInstrument(process, pid, labels, events));
            runner.add(new MemoryInstrument(process, pid, events));
            runner.add(HiccupInstrument.start(HiccupInstrument.DEFAULT_THRESHOLD_NS, events, clock));
            SubscriptionInstrument subscriptions = addAeron(events, sockets);
            add(() -> ThrottleInstrument.attach(process, pid, events));
            UdpErrorInstrument errors = add(() -> UdpErrorInstrument.attach(process, pid, events, clock));
            ReceivedPortsInstrument ports = add(() -> new ReceivedPortsInstrument(
                    process,
                    pid,
                    sockets::open,
                    () -> ProcessHandle.of(pid).isPresent(),
                    inode -> kernel == null ? 0 : kernel.delivered(inode),
                    events,
                    clock));
            readers.lookAtFirst();
            runner.add(readers);
            runner.add(events);
            runner.start();
            if (recording != null) {
                attach(recording, sockets, readers, events);
            }
            runner.events()
                    .onEvent(new HostEvent.Acted(new Interval(attachingNs, clock.nanoTime()), process, "attach"));
            return new Watch(
                    runner,
                    sockets,
                    () -> orElse(readers.all(), driverThreads.all()),
                    inode -> orElse(
                            orElse(readers.of(inode), driverReaders(driverThreads, sockets, inode)),
                            readers.watched().names()),
                    subscriptions,
                    kernel,
                    recording,
                    missing,
                    new WatchCoverage(kernel, errors, ports),
                    events);
        }

        private static FeedFollower follower(
                KernelInstrument kernel, SocketDepthInstrument sockets, Optional<Feed> feed) {
            return new FeedFollower(sockets::open, feed, next -> kernel.follow(next.orElse(null)));
        }

        /** @param isFollowing whether the feed changes with the open sockets */
        private KernelInstrument startKernel(
                @Nullable Feed feed, boolean isFollowing, ThreadLabels labels, TimelineListener events) {
            List<KernelInstrument.Subject> subjects = List.of(KernelInstrument.Subject.ofAllThreads(pid, process));
            // JFR knows the names of the JVM's compiled code; whether a thread polls a socket, only the kernel does.
            RecorderSettings.Sampling sampling =
                    new RecorderSettings.Sampling(ThreadSample.PERIOD_NS, !JvmInstrument.isJvm(pid));
            return isFollowing
                    ? KernelInstrument.startFollowing(subjects, feed, labels::of, sampling, events)
                    : KernelInstrument.start(subjects, feed, labels::of, sampling, events);
        }

        private void attach(
                WatchRecording recording,
                SocketDepthInstrument sockets,
                SocketReaders readers,
                ReceiverStallDetector events) {
            IncidentRecorder recorder = recording.recorder();
            if (recorder != null) {
                recorder.waitFor(events::toldNs);
            }
            recording.attach(process, pid, () -> inodes(sockets), readers.watched(), events, runner);
            missing.addAll(recording.missing());
            if (recorder != null && membership == null) {
                recorder.armFrom(System.nanoTime());
            }
        }

        /** Only the driver of a unit has the driver's counters: NAKs are its own. */
        private @Nullable SubscriptionInstrument addAeron(TimelineListener events, SocketDepthInstrument sockets) {
            if (membership == null) {
                runner.add(new AeronDiscovery(process, pid, events, clock, runner::add));
                return null;
            }
            UnitMember member = membership.member();
            if (member.isDriver()) {
                Path directory = member.unit().directory();
                runner.add(AeronInstrument.attach(process, directory, events, clock));
                KernelBypassInstrument bypass =
                        KernelBypassInstrument.attach(process, directory, () -> ports(sockets), events);
                channels = bypass;
                sockets.refresh(clock.nanoTime());
                missing.addAll(bypass.missing());
                runner.add(bypass);
            }
            SubscriptionInstrument subscriptions = SubscriptionInstrument.attach(process, member, events, clock);
            runner.add(subscriptions);
            return subscriptions;
        }

        private DriverThreads driverThreads(ThreadLabels labels) {
            return membership == null || !membership.member().isDriver()
                    ? DriverThreads.NONE
                    : DriverThreads.find(
                            new ProcessThreads(pid).list(),
                            membership.member().unit().directory().toString(),
                            labels);
        }

        /** The receiver reads the sockets of receive channels, the sender those of publications. */
        private Set<String> driverReaders(DriverThreads threads, @Nullable SocketDepthInstrument sockets, long inode) {
            KernelBypassInstrument known = channels;
            Set<Integer> receivePorts = known == null ? Set.of() : known.receivePorts();
            boolean isReceiving = sockets != null
                    && sockets.summaries().stream()
                            .map(SocketSummary::identity)
                            .anyMatch(socket -> socket.inode() == inode && receivePorts.contains(socket.localPort()));
            return isReceiving ? threads.receivers() : threads.senders();
        }

        private static Set<String> orElse(Set<String> found, Set<String> otherwise) {
            return found.isEmpty() ? otherwise : found;
        }

        private static Set<Integer> ports(SocketDepthInstrument sockets) {
            return sockets.summaries().stream()
                    .map(socket -> socket.identity().localPort())
                    .collect(Collectors.toSet());
        }

        private <T extends Instrument> @Nullable T add(Supplier<T> attach) {
            try {
                T instrument = attach.get();
                runner.add(instrument);
                return instrument;
            } catch (DetectException e) {
                missing.add(String.valueOf(e.getMessage()));
                return null;
            }
        }

        private static Set<String> receivers(@Nullable KernelInstrument kernel, long inode) {
            return kernel == null ? Set.of() : kernel.receiversOf(inode);
        }

        private static long recordedNs(@Nullable KernelInstrument kernel, long nowNs) {
            return kernel == null ? nowNs : kernel.recordedNs(nowNs);
        }

        private static Set<Long> inodes(@Nullable SocketDepthInstrument sockets) {
            return sockets == null
                    ? Set.of()
                    : sockets.summaries().stream()
                            .map(socket -> socket.identity().inode())
                            .collect(Collectors.toSet());
        }
    }

    /** Returns what each instrument measures and cannot measure. */
    public List<String> describe() {
        return runner.describe();
    }

    /** Returns the summaries of all sockets seen so far. */
    public List<SocketSummary> sockets() {
        return sockets.summaries();
    }

    /** Returns the summaries of the streams that the process subscribes to, if it was attached to as a member of an Aeron unit. */
    public List<SubscriptionSummary> subscriptions() {
        return subscriptions == null ? List.of() : subscriptions.summaries();
    }

    /**
     * Returns the instruments that have not seen anything for a while, each with the time until which it has seen all. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public Map<String, Long> behind(long nowNs) {
        return runner.behind(nowNs);
    }

    /**
     * Returns the time until which all stalls that were over have been told, ns. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public long toldNs(long nowNs) {
        return detector.toldNs(nowNs);
    }

    /** Returns the cost of the observation itself. */
    public SamplerStatistics statistics() {
        return runner.statistics();
    }

    /** Returns the share of a core that the sampler used, for each tenth of a second. Any thread. */
    public CpuUsageHistory samplerShares() {
        return runner.samplerShares();
    }

    /** Returns the incident recorder of a watch that records. */
    public Optional<IncidentRecorder> recorder() {
        return recording == null ? Optional.empty() : Optional.ofNullable(recording.recorder());
    }

    /**
     * Returns a recorder for one of the users of a shared watch, with the parts that perf and JFR have of its windows. It is armed; who asks for it hands it all samples and events.
     *
     * @throws IllegalStateException the watch is not shared
     */
    public IncidentRecorder newRecorder(WindowDirectories directories) {
        if (recording == null) {
            throw new IllegalStateException("a watch that records nothing has no recorders");
        }
        IncidentRecorder recorder = recording.newRecorder(directories);
        recorder.waitFor(detector::toldNs);
        return recorder;
    }

    /**
     * Ends a time and begins another: what goes on is told as lasting until then, what follows it is told by itself.
     *
     * @param timeNs CLOCK_MONOTONIC, ns
     * @return says when all that was seen until then has been handed to the listener and the consumers
     */
    public WatchCut cutAfter(long timeNs) {
        return new WatchCut(timeNs, sockets, kernel, detector, runner);
    }

    /** Returns the summaries of the sockets that are open now. Any thread. */
    public List<SocketSummary> openSockets() {
        return sockets.open();
    }

    /**
     * Returns the safepoints of a JVM by operation so far, all of them when the watch is closed; {@code null}: nothing is recorded, the process
     * is no JVM, or JFR does not observe it.
     */
    public @Nullable List<SafepointTable.Row> safepoints() {
        return recording == null ? null : recording.safepoints();
    }

    /** Returns what the watch cannot see or record, with the reason and the fix, one line each. */
    public List<String> missing() {
        return missing;
    }

    /** Returns the names of the threads that were seen waiting for a UDP socket, or of a media driver those that poll sockets. Any thread. */
    public Set<String> readers() {
        return readers.get();
    }

    /** Returns the sockets that are open now, and who reads each: who was seen waiting for it, or else all that were seen taking datagrams. Any thread. */
    public List<ReadSocket> readSockets() {
        return sockets.open().stream()
                .map(socket -> new ReadSocket(
                        socket, Set.copyOf(readersOf.apply(socket.identity().inode()))))
                .toList();
    }

    /** Returns whether the kernel itself records the waits of the threads; false if they are only sampled, or not at all. */
    public boolean isKernelRecorded() {
        return kernel != null && kernel.source() == RecorderSource.BPF;
    }

    /** Returns whether the counters of a media driver are read, and with them its NAKs. Any thread. */
    public boolean hasDriver() {
        return runner.has(AeronInstrument.class);
    }

    /** Returns when all instruments were ready, ns of CLOCK_MONOTONIC: what attaching them has done to the process does not count. */
    public long beganNs() {
        return beganNs;
    }

    /**
     * Returns the events that say for which time the kernel's record is complete until now, and what else was looked at. When the watch is
     * closed, they are on the timeline.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public List<TimelineEvent> observedUntil(long nowNs) {
        return coverage.until(nowNs);
    }

    @Override
    public void close() {
        recorder().ifPresent(recorder -> recorder.finish(System.nanoTime()));
        runner.close();
    }
}
