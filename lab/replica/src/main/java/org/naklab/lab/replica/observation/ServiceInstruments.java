package org.naklab.lab.replica.observation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.AeronInstrument;
import org.naklab.lab.instruments.kernel.KernelInstrument;
import org.naklab.lab.instruments.kernel.counters.ThrottleInstrument;
import org.naklab.lab.instruments.kernel.counters.UdpErrorInstrument;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.memory.MajorFaultStack;
import org.naklab.lab.instruments.memory.MemoryInstrument;
import org.naklab.lab.instruments.sampling.GaugeInstrument;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.MappedCounter;
import org.naklab.lab.instruments.sampling.RateInstrument;
import org.naklab.lab.instruments.sockets.MembershipInstrument;
import org.naklab.lab.instruments.sockets.PortSharingInstrument;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;
import org.naklab.lab.instruments.threads.HiccupInstrument;
import org.naklab.lab.instruments.threads.ThreadInstrument;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.service.DutyCycleFile;

/**
 * Attaches all instruments that a process of the replica has, by its role. A run and the benchmark of the instruments both use this class,
 * so that the benchmark measures what a run has.
 */
public final class ServiceInstruments {
    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;
    /** A pause that matters; the timer of a busy machine is late by a scheduler's slice now and then. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A sixteenth of the ring. */
    private static final long HIGH_RING_SLOTS = 1 << 12;

    private static final long HIGH_PERSIST_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final InstrumentSet instruments;
    private final ObservedProcess process;
    private final TimelineListener events;
    private final ServiceRecordings recordings;
    private @Nullable SocketDepthInstrument sockets;
    private boolean complete = true;

    private ServiceInstruments(
            InstrumentSet instruments, ObservedProcess process, IncidentRecorder recorder, Path directory) {
        this.instruments = instruments;
        this.process = process;
        events = instruments.events();
        recordings = new ServiceRecordings(instruments, recorder, directory);
    }

    /**
     * Attaches the instruments to a process. One that cannot observe is noted in {@code instruments}.
     *
     * @param recorder writes the window around an incident; takes the parts of the recordings
     * @param directory exists; takes the recordings
     */
    public static ServiceInstruments attach(
            InstrumentSet instruments, ObservedProcess process, IncidentRecorder recorder, Path directory) {
        ServiceInstruments attached = new ServiceInstruments(instruments, process, recorder, directory);
        attached.attachTransport();
        if (process.role() != Role.EXCHANGE) {
            attached.attachReceiver();
        }
        if (process.role() == Role.SERVICE) {
            attached.add(() -> new MemoryInstrument(process.name(), process.pid(), attached.events));
            attached.add(() -> UdpErrorInstrument.attach(process.name(), process.pid(), attached.events, CLOCK));
            attached.recordings.attach(process, Duration.ofNanos(LATE_NS), attached.events);
        }
        return attached;
    }

    /**
     * Attaches the instruments that belong to no single process: the timer that is late when the machine stalls, and the record of the kernel.
     *
     * @return the record of the kernel; {@code null} if there is none
     */
    public static @Nullable KernelInstrument attachToMachine(
            InstrumentSet instruments, List<ObservedProcess> processes) {
        instruments.add(() -> HiccupInstrument.start(LATE_NS, instruments.events(), CLOCK));
        return instruments.add(() -> KernelInstrument.start(subjects(processes), instruments.events()));
    }

    /**
     * Attaches the instruments that belong to no single process, and those of the feed on its way: who sends to its port and when, membership in
     * its group, other sockets of its port.
     *
     * @param interruptNs interrupts of the receipt threads as long as this and longer are recorded, ns; 0: none
     * @return the record of the kernel; {@code null} if there is none
     */
    public static @Nullable KernelInstrument attachToMachine(
            InstrumentSet instruments, List<ObservedProcess> processes, Feed feed, long interruptNs) {
        instruments.add(() -> HiccupInstrument.start(LATE_NS, instruments.events(), CLOCK));
        List<Long> pids = processes.stream().map(ObservedProcess::pid).toList();
        processes.stream().filter(process -> process.role() == Role.SERVICE).forEach(service -> {
            instruments.add(() -> MembershipInstrument.attach(
                    service.name(), service.pid(), feed.group(), instruments.events(), CLOCK));
            instruments.add(() -> PortSharingInstrument.attach(
                    service.name(), service.pid(), feed.port(), pids, instruments.events(), CLOCK));
        });
        return instruments.add(
                () -> KernelInstrument.start(subjects(processes), feed, interruptNs, instruments.events()));
    }

    private static List<KernelInstrument.Subject> subjects(List<ObservedProcess> processes) {
        return processes.stream()
                .map(process -> new KernelInstrument.Subject(
                        process.pid(), process.name(), process.contextThread(), process.isContained()))
                .toList();
    }

    private void attachTransport() {
        sockets = add(() -> SocketDepthInstrument.attach(process.name(), process.pid(), events, CLOCK));
        AeronInstrument aeron =
                add(() -> AeronInstrument.attach(process.name(), process.aeronDirectory(), events, CLOCK));
        if (aeron == null) {
            return;
        }
        switch (process.role()) {
            case EXCHANGE -> add(() -> rate("sentBytes", aeron.bytesSent()));
            case GATEWAY -> add(() -> rate("receivedBytes", aeron.bytesReceived()));
            // What arrives after a stall of the service is the repair, which is no burst of the exchange.
            case SERVICE, CUSTOMERS, TOOL -> {}
        }
    }

    private void attachReceiver() {
        instruments.add(() -> ThrottleInstrument.attach(process.name(), process.pid(), events));
        add(() -> new ThreadInstrument(process.name(), process.pid(), process.contextThread(), events));
        DutyCycleInstrument dutyCycle = add(() -> DutyCycleInstrument.attach(
                process.name(),
                process.contextThread(),
                DutyCycleFile.of(process.aeronDirectory().toString()),
                DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS,
                events,
                CLOCK));
        if (dutyCycle != null && process.role() == Role.SERVICE) {
            add(() -> gauge("ringDepthSlots", dutyCycle.ringDepth(), TimelineEventType.RING_DEPTH_RISE));
            add(() -> gauge("journalLagMessages", dutyCycle.journalLag(), TimelineEventType.JOURNAL_LAG_RISE));
        }
    }

    private Instrument rate(String quantity, MappedCounter count) {
        return new RateInstrument(process.name(), quantity, count, RateInstrument.LEAST_BURST_BYTES, events);
    }

    private Instrument gauge(String quantity, MappedCounter level, TimelineEventType rise) {
        return new GaugeInstrument(process.name(), quantity, level, HIGH_RING_SLOTS, HIGH_PERSIST_NS, rise, events);
    }

    private <T extends Instrument> @Nullable T add(Supplier<T> attach) {
        T instrument = instruments.add(attach);
        complete &= instrument != null;
        return instrument;
    }

    /** Returns the instrument of the sockets; {@code null} if it could not observe. */
    public @Nullable SocketDepthInstrument sockets() {
        return sockets;
    }

    /** Returns true if all instruments that the sampler reads were attached; the recordings of JFR and perf do not count. */
    public boolean isComplete() {
        return complete;
    }

    /** Ends the recordings while the process still lives, after the recorder has written its window. */
    public void onFlowEnded() {
        recordings.onFlowEnded();
    }

    /** Takes note that the process has sent its last report, so that its end is no failure. */
    public void onProcessEnding() {
        recordings.onServiceEnding();
    }

    /** Returns the fault stacks of the receipt thread by time; complete when traffic has ended. */
    public List<MajorFaultStack> faultStacks() {
        return recordings.faultStacks();
    }

    /** Returns the safepoints of the process by operation, complete when traffic has ended; {@code null}: JFR does not observe it. */
    public @Nullable List<SafepointTable.Row> safepoints() {
        return recordings.safepoints();
    }
}
