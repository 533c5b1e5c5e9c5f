package org.naklab.lab.instruments.aeron;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * The streams that the clients in one process subscribe to, by the positions in the driver's counters: what is left to poll, of IPC the publisher's position minus
 * the subscriber's, and times in which a client did not poll although there was something.
 */
public final class SubscriptionInstrument implements Instrument {
    private static final SubscribedStream[] NONE = {};

    private final UnitMember member;
    private final StreamReporter reporter;
    private final NanoClock clock;
    private final List<CncFile> files = new CopyOnWriteArrayList<>();
    /** The summaries of streams that have ended. */
    private final List<SubscriptionSummary> ended = new ArrayList<>();

    private volatile SubscribedStream[] streams = NONE;
    private CncFile current;
    private long inode;

    private SubscriptionInstrument(
            UnitMember member, StreamReporter reporter, NanoClock clock, CncFile file, long inode) {
        this.member = member;
        this.reporter = reporter;
        this.clock = clock;
        this.inode = inode;
        current = file;
        files.add(file);
        findStreams();
    }

    /**
     * Attaches to the driver of a client.
     *
     * @param process name for events and series
     * @throws org.naklab.lab.core.timeline.DetectException no driver runs in the directory
     */
    public static SubscriptionInstrument attach(
            String process, UnitMember member, TimelineListener listener, NanoClock clock) {
        long inode = member.unit().cncInode();
        return new SubscriptionInstrument(
                member,
                new StreamReporter(process, listener),
                clock,
                CncFile.map(member.unit().directory()),
                inode);
    }

    @Override
    public String describe() {
        return "positions of the subscriptions of " + reporter.process() + " in "
                + member.unit().directory();
    }

    /** A position that stands still must be seen at once when it moves again. */
    @Override
    public long periodNs() {
        return MILLISECOND_NS;
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        for (int i = 0; i < files.size(); i++) {
            if (!files.get(i).updateValues()) {
                return;
            }
        }
        for (SubscribedStream stream : streams) {
            stream.sample(nowNs, sink);
        }
    }

    @Override
    public void refresh(long nowNs) {
        long inodeNow = member.unit().cncInode();
        if (inodeNow != inode) {
            follow(inodeNow);
        }
        current.update();
        findStreams();
    }

    /** Goes on with the driver that has started anew. The former file stays mapped: the sampler may still read it. */
    private void follow(long inodeNow) {
        try {
            current = CncFile.map(member.unit().directory());
            files.add(current);
            inode = inodeNow;
        } catch (DetectException goneAgain) {
            inode = 0; // the next refresh tries again
        }
    }

    private synchronized void findStreams() {
        CountersReader counters = current.counters();
        Map<SubscriptionCounters, SubscribedStream> before = new LinkedHashMap<>();
        for (SubscribedStream stream : streams) {
            before.put(stream.ids(), stream);
        }
        List<SubscribedStream> now = new ArrayList<>();
        for (SubscriptionCounters found : SubscriptionCounters.find(counters)) {
            if (member.unit().processesOf(found.clientId()).contains(member.pid())) {
                SubscribedStream known = before.remove(found);
                now.add(known != null ? known : new SubscribedStream(found, counters, clock, reporter, member));
            }
        }
        streams = now.toArray(NONE);
        before.values().forEach(gone -> ended.add(gone.summary()));
    }

    /** Returns the summaries of all streams so far, those that are gone first. Any thread. */
    public synchronized List<SubscriptionSummary> summaries() {
        List<SubscriptionSummary> all = new ArrayList<>(ended);
        Arrays.stream(streams).map(SubscribedStream::summary).forEach(all::add);
        return all;
    }

    @Override
    public synchronized void close() {
        for (SubscribedStream stream : streams) {
            stream.finish();
            ended.add(stream.summary());
        }
        streams = NONE;
        files.forEach(CncFile::close);
        files.clear();
    }
}
