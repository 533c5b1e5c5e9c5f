package org.naklab.lab.instruments.threads;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * Finds the thread that reads a UDP socket without ever waiting for it, by samples of its kernel stack: such a thread spends much of its CPU time in the kernel's receive
 * functions, until it works on something else.
 */
public final class PollingThreads {
    /** Functions of the kernel in which a thread takes a datagram, or looks whether there is one. A sender or a soft interrupt is in others. */
    private static final Set<String> POLLING = Set.of("udp_recvmsg", "udpv6_recvmsg", "__skb_recv_udp", "udp_poll");

    /** The samples before a time without receipt that tell how often a thread polls. */
    private static final long BEFORE_NS = 2_000_000_000L;

    private static final int LEAST_BEFORE = 10;
    /** How likely a thread that goes on polling may be to be sampled elsewhere each time. */
    private static final double DOUBT = 0.01;

    private static final int MAX_KEPT = 20_000;

    private final WatchedThreads found;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(String thread, long timeNs, boolean isPolling) {
        static Sample of(ThreadSample sample) {
            return new Sample(sample.thread(), sample.timeNs(), PollingThreads.isPolling(sample.kernelStack()));
        }
    }

    /** @param found receives the names of the threads that take datagrams */
    PollingThreads(WatchedThreads found) {
        this.found = found;
    }

    /** Returns whether a thread takes a datagram, or looks whether there is one, by its kernel stack. */
    public static boolean isPolling(List<String> kernelStack) {
        return kernelStack.stream().anyMatch(POLLING::contains);
    }

    /** Takes a sample of a thread on a CPU; other events are ignored. */
    void add(TimelineEvent event) {
        event.as(ThreadSample.class).map(Sample::of).ifPresent(this::add);
    }

    private void add(Sample sample) {
        if (sample.isPolling()) {
            found.add(sample.thread());
        }
        samples.addLast(sample);
        if (samples.size() > MAX_KEPT) {
            samples.removeFirst();
        }
    }

    /**
     * Returns the thread that polled before a time without receipt, and was on a CPU but did not poll during it. A thread that reads another socket goes on polling.
     *
     * @return empty if there is none, or more than one
     */
    Optional<String> stoppedPolling(Interval span) {
        // The thread may still poll, or poll again, at the edges.
        long edgeNs = AbsenceLog.COARSENESS_NS;
        if (span.lengthNs() <= 2 * edgeNs) {
            return Optional.empty();
        }
        Map<String, List<Sample>> earlier = byThread(new Interval(span.beginNs() - BEFORE_NS, span.beginNs()));
        Map<String, List<Sample>> during = byThread(new Interval(span.beginNs() + edgeNs, span.endNs() - edgeNs));
        List<String> stopped = during.entrySet().stream()
                .filter(thread -> hasStopped(earlier.getOrDefault(thread.getKey(), List.of()), thread.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return stopped.size() == 1 ? Optional.of(stopped.get(0)) : Optional.empty();
    }

    /**
     * Returns the thread that took datagrams in a time.
     *
     * @return empty if there is none, or more than one
     */
    Optional<String> pollingIn(Interval span) {
        List<String> threads = samples.stream()
                .filter(sample -> sample.isPolling() && span.contains(sample.timeNs()))
                .map(Sample::thread)
                .distinct()
                .toList();
        return threads.size() == 1 ? Optional.of(threads.get(0)) : Optional.empty();
    }

    private Map<String, List<Sample>> byThread(Interval span) {
        return samples.stream()
                .filter(sample -> span.contains(sample.timeNs()))
                .collect(Collectors.groupingBy(Sample::thread));
    }

    private static boolean hasStopped(List<Sample> before, List<Sample> during) {
        if (before.size() < LEAST_BEFORE || during.stream().anyMatch(Sample::isPolling)) {
            return false;
        }
        double pollingShare = (double) before.stream().filter(Sample::isPolling).count() / before.size();
        return Math.pow(1 - pollingShare, during.size()) < DOUBT;
    }
}
