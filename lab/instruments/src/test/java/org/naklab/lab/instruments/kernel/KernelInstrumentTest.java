package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.kernel.datagrams.DatagramFlow;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.ObserverProcesses;

/** Compares the events that the instrument makes of a recorded stream with what the victim measured. */
@Timeout(60)
class KernelInstrumentTest {
    private final EventLog events = new EventLog();
    private final List<String> commands = new ArrayList<>();

    /** The recorder's program, or its thread, may be killed or stand still. */
    @ParameterizedTest
    @EnumSource(RecorderSource.class)
    void shouldSayUntilWhenTheRecorderHasSeenAllAndThatItEnded(RecorderSource source) {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument instrument = new KernelInstrument(
                machine(listening, source),
                List.of(KernelInstrument.Subject.ofAllThreads(
                        ProcessHandle.current().pid(), "foreign")),
                null,
                (tid, comm) -> comm,
                0,
                RecorderSettings.Sampling.NONE,
                events);
        KernelRecordListener recorder = Objects.requireNonNull(listening.get());
        long aliveNs = System.nanoTime() + 1_000_000;
        recorder.onRecord(new KernelRecord.Alive(aliveNs));
        assertThat(instrument.reachedNs(aliveNs + 5)).isEqualTo(aliveNs);
        assertThat(instrument.recordedNs(aliveNs + 5)).isEqualTo(aliveNs);
        assertThat(instrument.isRefreshDue()).isFalse();
        instrument.refresh(aliveNs);

        recorder.onRecord(new KernelRecord.RecorderEnd(aliveNs, "the recorder's program ended by itself"));

        assertThat(instrument.isRefreshDue()).isTrue();
        assertThatThrownBy(() -> instrument.refresh(aliveNs))
                .isInstanceOf(DetectException.class)
                .hasMessage("the kernel's record is incomplete: the recorder's program ended by itself");
        assertThat(instrument.isRefreshDue()).as("it is told once").isFalse();
        assertThat(instrument.reachedNs(aliveNs + 9))
                .as("it sees nothing any more")
                .isEqualTo(aliveNs);
        assertThat(instrument.recordedNs(aliveNs + 9)).as("nothing is to come").isEqualTo(aliveNs + 9);
        assertThat(instrument.recordedUntil(aliveNs)).isEmpty();
        instrument.close();
    }

    /** Programs of the kernel are loaded and checked for longer than a recorder may be silent. */
    @Test
    void shouldNotBeBehindBecauseItsRecorderTookLongToStart() {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument.Machine fast = machine(listening);
        AtomicLong recordsNs = new AtomicLong();
        KernelInstrument.Machine slow = new KernelInstrument.Machine() {
            @Override
            public long namespaceOf(long pid) {
                return fast.namespaceOf(pid);
            }

            @Override
            public KernelRecorder record(
                    Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener) {
                KernelRecorder recorder = fast.record(pids, settings, listener);
                long askedNs = System.nanoTime();
                while (System.nanoTime() == askedNs) {
                    Thread.onSpinWait();
                }
                recordsNs.set(System.nanoTime());
                return recorder;
            }
        };
        KernelInstrument instrument = new KernelInstrument(
                slow,
                List.of(KernelInstrument.Subject.ofAllThreads(42, "foreign")),
                null,
                (tid, comm) -> comm,
                0,
                RecorderSettings.Sampling.NONE,
                events);

        assertThat(instrument.reachedNs(Long.MAX_VALUE)).isBetween(recordsNs.get(), System.nanoTime());
        assertThat(instrument.title()).isEqualTo("the kernel recorder");
        instrument.close();
    }

    /** What the watch itself does to a process is told as such: by its threads of any name, and by the programs that it has started to observe. */
    @Test
    void shouldSayThatAThreadThatTookTheCpuIsOneOfTheInstruments() throws Exception {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument instrument = instrument(listening, 42);
        int own = (int) ProcessHandle.current().pid();
        Process asked = new ProcessBuilder("sleep", "1000").start();
        Process other = new ProcessBuilder("sleep", "1000").start();
        try {
            ObserverProcesses.add(asked.toHandle());
            KernelRecordListener recorder = Objects.requireNonNull(listening.get());
            recorder.onRecord(preempted(own, "naklab-timer"));
            recorder.onRecord(preempted(own, "C1 CompilerThre"));
            recorder.onRecord(preempted(Integer.MAX_VALUE, "naklab-timer"));
            recorder.onRecord(preempted(asked.pid(), "GC Thread#0"));
            recorder.onRecord(preempted(other.pid(), "stress"));
            recorder.onRecord(preempted(42, "naklab-worker"));
        } finally {
            asked.destroy();
            other.destroy();
        }

        assertThat(nextThreads())
                .containsExactly(
                        "naklab-timer of the lab",
                        "C1 CompilerThre of the lab",
                        "naklab-timer",
                        "GC Thread#0 of the lab",
                        "stress",
                        "naklab-worker");
        instrument.close();
    }

    /** The threads of a test that watches its own process are no instruments. */
    @Test
    void shouldTellTheInstrumentsOfAProcessThatWatchesItselfByTheirNames() {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        int own = (int) ProcessHandle.current().pid();
        KernelInstrument instrument = instrument(listening, own);
        KernelRecordListener recorder = Objects.requireNonNull(listening.get());
        recorder.onRecord(preempted(own, own, "naklab-timer"));
        recorder.onRecord(preempted(own, own, "worker"));

        assertThat(nextThreads()).containsExactly("naklab-timer of the lab", "worker");
        instrument.close();
    }

    @Test
    void shouldSayThatAThreadThatSharedTheCpuIsOneOfTheInstruments() {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument instrument = instrument(listening, 42);
        int own = (int) ProcessHandle.current().pid();
        KernelRecordListener recorder = Objects.requireNonNull(listening.get());
        for (int pid : List.of(own, Integer.MAX_VALUE)) {
            recorder.onRecord(new KernelRecord.Shared(
                    1, 1_000, 2_000, new TaskId(42, 42, "recv"), new TaskId(pid, 7, "C1 CompilerThre")));
        }
        instrument.close();

        assertThat(events.of(TimelineEventType.CORE_SHARED).stream()
                        .flatMap(TimelineEvent.only(CoreShared.class))
                        .map(CoreShared::other))
                .containsExactlyInAnyOrder("C1 CompilerThre of the lab", "C1 CompilerThre");
    }

    /** The sockets of a process change: the record of arriving datagrams follows them, and says since when. */
    @Test
    void shouldRecordAnotherFeedWhenItIsAskedTo() {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument instrument = new KernelInstrument(
                machine(listening),
                List.of(KernelInstrument.Subject.ofAllThreads(42, "foreign")),
                new Feed(List.of("127.0.0.1"), 4_000, ""),
                true,
                (tid, comm) -> comm,
                0,
                RecorderSettings.Sampling.NONE,
                events);
        KernelRecordListener recorder = Objects.requireNonNull(listening.get());
        recorder.onRecord(new KernelRecord.Deliveries(1, 2, 3, 77, 1));
        assertThat(instrument.delivered(77)).isEqualTo(3);
        assertThat(recorded(instrument)).singleElement().matches(event -> event.hasArrivals() && event.port() == 4_000);

        instrument.follow(new Feed(List.of("127.0.0.1"), 5_000, ""));
        instrument.tell();

        assertThat(commands).containsExactly("port 5000", "tell");
        assertThat(recorded(instrument))
                .as("of the whole time without arrivals, and of the time since then with them")
                .satisfiesExactly(whole -> assertThat(whole.hasArrivals()).isFalse(), since -> {
                    assertThat(since.hasArrivals()).isTrue();
                    assertThat(since.port()).isEqualTo(5_000);
                    assertThat(since.interval().beginNs())
                            .isGreaterThan(
                                    recorded(instrument).get(0).interval().beginNs());
                });
        send(recorder, 4_000);
        send(recorder, 5_000);
        instrument.follow(null);
        assertThat(commands).endsWith("port 0");
        assertThat(events.of(TimelineEventType.FOREIGN_DATAGRAMS))
                .as("who sends elsewhere to the port, not to the one before")
                .singleElement()
                .matches(event -> event.longDetail("port", 0) == 5_000);
        assertThat(recorded(instrument)).singleElement().matches(event -> !event.hasArrivals());
        instrument.close();
    }

    /** The sender is in another network namespace of this host, as in a container: what is discarded there never comes to the receiver's. */
    @Test
    void shouldTellWhatWasDiscardedOnTheSidesOfTheFeedAndNowhereElse() {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument instrument = new KernelInstrument(
                machine(listening),
                List.of(KernelInstrument.Subject.ofAllThreads(42, "foreign")),
                new Feed(List.of("10.0.0.8"), 4_000, ""),
                (tid, comm) -> comm,
                0,
                RecorderSettings.Sampling.NONE,
                events);
        KernelRecordListener recorder = Objects.requireNonNull(listening.get());
        recorder.onRecord(drops(9, "10.0.0.7"));
        send(recorder, 4_000);
        recorder.onRecord(drops(1, "10.0.0.7"));
        recorder.onRecord(drops(9, "10.0.0.7"));
        recorder.onRecord(drops(9, "10.0.0.6"));

        assertThat(events.of(TimelineEventType.DATAGRAMS_DISCARDED).stream()
                        .flatMap(TimelineEvent.only(DatagramEvent.Discarded.class))
                        .map(DatagramEvent.Discarded::packet))
                .as(
                        "at the receiver, and where that sender is; of another sender, and before any came in, nothing is known")
                .containsExactly(
                        new DatagramEvent.Discarded.Packet(false, true, null),
                        new DatagramEvent.Discarded.Packet(false, false, 9L));
        instrument.close();
    }

    private static KernelRecord drops(long netns, String source) {
        return new DatagramRecord.Drops(
                3_000_000,
                3_000_000,
                5,
                "NETFILTER_DROP",
                "nf_hook_slow",
                0,
                new DatagramFlow(netns, source, 78, "10.0.0.8", 4_000, false));
    }

    /** Each namespace has a loopback of its own, with the same addresses. */
    @Test
    void shouldTakeNoOtherLoopbackForASideOfTheFeed() {
        AtomicReference<KernelRecordListener> listening = new AtomicReference<>();
        KernelInstrument instrument = new KernelInstrument(
                machine(listening),
                List.of(KernelInstrument.Subject.ofAllThreads(42, "foreign")),
                new Feed(List.of("127.0.0.1"), 4_000, ""),
                (tid, comm) -> comm,
                0,
                RecorderSettings.Sampling.NONE,
                events);
        KernelRecordListener recorder = Objects.requireNonNull(listening.get());
        for (long netns : new long[] {1, 9}) {
            DatagramFlow flow = new DatagramFlow(netns, "127.0.0.1", 78, "127.0.0.1", 4_000, false);
            recorder.onRecord(new DatagramRecord.Arrivals(2_000_000, 9, 900, 1_000_000, 2_000_000, flow));
            recorder.onRecord(new DatagramRecord.Drops(3_000_000, 3_000_000, 5, "NETFILTER_DROP", "", 0, flow));
        }

        assertThat(events.of(TimelineEventType.DATAGRAMS_DISCARDED)).hasSize(1);
        instrument.close();
    }

    private static List<DatagramEvent.KernelRecorded> recorded(KernelInstrument instrument) {
        return instrument.recordedUntil(System.nanoTime()).stream()
                .flatMap(TimelineEvent.only(DatagramEvent.KernelRecorded.class))
                .toList();
    }

    /** Datagrams to an address that is not the feed's. */
    private static void send(KernelRecordListener recorder, int port) {
        recorder.onRecord(new DatagramRecord.Arrivals(
                2_000_000, 9, 900, 1_000_000, 2_000_000, new DatagramFlow(1, "10.0.0.7", 77, "10.0.0.8", port, false)));
    }

    private KernelInstrument instrument(AtomicReference<KernelRecordListener> listening, long pid) {
        return new KernelInstrument(
                machine(listening),
                List.of(KernelInstrument.Subject.ofAllThreads(pid, "foreign")),
                null,
                (tid, comm) -> comm,
                0,
                RecorderSettings.Sampling.NONE,
                events);
    }

    private List<String> nextThreads() {
        return events.of(TimelineEventType.THREAD_ABSENT).stream()
                .map(ThreadAbsence::of)
                .map(ThreadAbsence::next)
                .toList();
    }

    private static KernelRecord preempted(long byPid, String by) {
        return preempted(42, byPid, by);
    }

    private static KernelRecord preempted(long pid, long byPid, String by) {
        return (KernelRecord) RecordParser.parse(
                "{\"type\":\"absence\",\"beginNs\":1000000,\"endNs\":90000000,\"state\":\"preempted\",\"beginCpu\":1,"
                        + "\"endCpu\":1,\"task\":{\"pid\":" + pid + ",\"tid\":42,\"comm\":\"recv\"},\"next\":{\"pid\":"
                        + byPid
                        + ",\"tid\":7,\"comm\":\"" + by + "\"}}");
    }

    private KernelInstrument.Machine machine(AtomicReference<KernelRecordListener> listening) {
        return machine(listening, RecorderSource.BPF);
    }

    private KernelInstrument.Machine machine(
            AtomicReference<KernelRecordListener> listening, RecorderSource available) {
        return new KernelInstrument.Machine() {
            @Override
            public long namespaceOf(long pid) {
                return 1;
            }

            @Override
            public KernelRecorder record(
                    Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener) {
                listening.set(listener);
                return KernelRecorder.start(pids, source -> {
                    if (source != available) {
                        throw new DetectException(source + " is not available");
                    }
                    return new KernelRecorder.Backend() {
                        @Override
                        public boolean add(long pid) {
                            return true;
                        }

                        @Override
                        public void remove(long pid) {}

                        @Override
                        public void watchPort(int port) {
                            commands.add("port " + port);
                        }

                        @Override
                        public void tell() {
                            commands.add("tell");
                        }

                        @Override
                        public void close() {}
                    };
                });
            }
        };
    }

    @Test
    void shouldTellForWhatTheHolderOfALockWaited() throws Exception {
        Recording recording = Recording.of("lock", RecorderSettings.DEFAULT, "lock");
        recording.toTimeline(new KernelInstrument.Subject(recording.pid(), "foreign", "victim", false), events);
        ThreadAbsence absence = events.of(TimelineEventType.THREAD_ABSENT).stream()
                .map(ThreadAbsence::of)
                .filter(each -> each.interval().overlaps(recording.span()))
                .max(Comparator.comparingLong(each -> each.interval().lengthNs()))
                .orElseThrow();

        assertThat(absence.interval()).isEqualTo(recording.longest("victim").interval(0));
        assertThat(absence.waker()).isEqualTo("reporter");
        assertThat(absence.wakerWait()).isNotNull();
        assertThat(absence.wakerWait().state()).isEqualTo(ThreadAbsence.State.SLEEPING);
        assertThat(absence.wakerWait().kernelStack()).anyMatch(function -> function.contains("nanosleep"));
        assertThat(absence.wakerWait().waker()).as("a timer").isEmpty();
        assertThat(absence.wakerWait().durationNs())
                .isBetween(absence.interval().lengthNs() / 2, absence.interval().lengthNs());
        assertThat(events.of(TimelineEventType.THREAD_ABSENT))
                .allMatch(event -> event.thread().equals("victim"));
        assertThat(events.of(TimelineEventType.KERNEL_RECORDED)).hasSize(1);
    }
}
