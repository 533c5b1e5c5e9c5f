package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Reports for which time no socket of a process's network namespace was a member of a group, on an interface on which one had been. The kernel
 * then discards the group's datagrams that come in there. Whether switches still forward the group to this host is not seen.
 */
public final class MembershipInstrument implements Instrument {
    /** The word for what was looked at, in {@link TimelineEventType#PLACE_OBSERVED}. */
    public static final String PLACE = "group membership";

    private final String process;
    private final String group;
    private final Supplier<Set<Integer>> interfaces;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final long beganNs;
    /** When the group was first seen missing on an interface, ns; not before, since the processes leave it as soon as the flow has ended. */
    private final Map<Integer, Long> missingSinceNs = new TreeMap<>();

    private Set<Integer> joined;
    private long lastNs;
    private long longestGapNs;
    private @Nullable String failure;

    /** @param interfaces reads the indexes of the interfaces on which the group is joined */
    MembershipInstrument(
            String process,
            String group,
            Supplier<Set<Integer>> interfaces,
            TimelineListener listener,
            NanoClock clock) {
        this.process = process;
        this.group = group;
        this.interfaces = interfaces;
        this.listener = listener;
        this.clock = clock;
        joined = interfaces.get();
        beganNs = clock.nanoTime();
        lastNs = beganNs;
    }

    /**
     * Attaches to the network namespace of a process.
     *
     * @param process name on the timeline
     * @param group multicast address, numeric
     * @throws DetectException the process is gone
     */
    public static MembershipInstrument attach(
            String process, long pid, String group, TimelineListener listener, NanoClock clock) {
        return new MembershipInstrument(process, group, () -> interfaces(pid, group), listener, clock);
    }

    private static Set<Integer> interfaces(long pid, String group) {
        Path net = ProcPaths.of(pid, "net");
        List<GroupOnInterface> found = new ArrayList<>();
        try {
            if (group.indexOf(':') < 0) {
                GroupOnInterface.parseIgmp(Files.readAllLines(net.resolve("igmp")), found);
            } else {
                GroupOnInterface.parseIgmp6(Files.readAllLines(net.resolve("igmp6")), found);
            }
        } catch (IOException e) {
            throw new DetectException("cannot read the groups in " + net + ": " + e.getMessage(), e);
        }
        return found.stream()
                .filter(each -> each.group().equals(group))
                .map(GroupOnInterface::interfaceIndex)
                .collect(Collectors.toSet());
    }

    @Override
    public String describe() {
        return "membership in " + group + " of the network namespace of " + process + " (/proc/PID/net, every 100 ms)";
    }

    /** Does nothing: reading the file takes too long for the sampler. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    /** Reads the groups. Once they cannot be read, as when the process has ended, the time that is covered is over. */
    @Override
    public void refresh(long nowNs) {
        if (failure != null) {
            return;
        }
        try {
            Set<Integer> now = interfaces.get();
            long readNs = clock.nanoTime();
            joined.stream().filter(index -> !now.contains(index)).forEach(index -> missingSinceNs.put(index, readNs));
            now.forEach(index -> reportMissing(index, readNs, false));
            joined = now;
            longestGapNs = Math.max(longestGapNs, readNs - lastNs);
            lastNs = readNs;
        } catch (DetectException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    private void reportMissing(int index, long untilNs, boolean isLasting) {
        Long sinceNs = missingSinceNs.remove(index);
        if (sinceNs != null) {
            listener.onEvent(new DatagramEvent.MembershipLost(
                    new Interval(sinceNs, untilNs), process, group, index, null, isLasting));
        }
    }

    /** Returns the time for which the membership is known. */
    public Interval observed() {
        return new Interval(beganNs, lastNs);
    }

    @Override
    public void close() {
        refresh(clock.nanoTime());
        List.copyOf(missingSinceNs.keySet()).forEach(index -> reportMissing(index, lastNs, true));
        listener.onEvent(new DatagramEvent.PlaceObserved(observed(), process, PLACE, null, longestGapNs));
    }
}
