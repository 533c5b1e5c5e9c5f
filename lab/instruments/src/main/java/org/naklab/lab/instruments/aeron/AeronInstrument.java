package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.MappedCounter;
import org.naklab.lab.instruments.sampling.Watchpoints;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * NAKs, retransmissions, gaps, losses and the order of arrival from the counters and the loss report of a running Aeron driver, by mapping its files as
 * AeronStat does: the driver takes no part, so that it works while the driver's thread stands still. A NAK is dated by the tick that saw
 * its counter change, so up to one tick late, or one period without the native library; that of a stream that appeared since the last
 * refresh, up to one refresh.
 */
public final class AeronInstrument implements Instrument, Watchpoints.Source {
    private static final ReceivedStream[] NONE_RECEIVED = {};
    private static final SentStream[] NONE_SENT = {};

    /** Counters whose changes are dated to the tick. */
    private static final int[] HEARD_COUNTERS = {
        AeronCounters.SYSTEM_COUNTER_ID_NAK_MESSAGES_SENT,
        AeronCounters.SYSTEM_COUNTER_ID_NAK_MESSAGES_RECEIVED,
        AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITS_SENT
    };

    private final Path aeronDirectory;
    private final CncFile cnc;
    private final LossReportFile lossReport;
    private final StreamReporter reporter;
    private final NanoClock clock;
    private final DriverCounters driverCounters;
    private final ArrivalCounters arrivals;
    private volatile ReceivedStream[] received = NONE_RECEIVED;
    private volatile SentStream[] sent = NONE_SENT;
    private volatile List<LossEntry> losses;
    /** Fingerprint of the counters when the streams were last searched. */
    private long streamsFingerprint;

    private AeronInstrument(
            Path aeronDirectory, CncFile cnc, LossReportFile lossReport, StreamReporter reporter, NanoClock clock) {
        this.aeronDirectory = aeronDirectory;
        this.cnc = cnc;
        this.lossReport = lossReport;
        this.reporter = reporter;
        this.clock = clock;
        driverCounters = new DriverCounters(cnc.counters(), reporter);
        arrivals = new ArrivalCounters(cnc.counters(), reporter);
        losses = lossReport.read();
        streamsFingerprint = StreamCounters.fingerprint(cnc.counters());
        findStreams(clock.nanoTime(), false);
    }

    /**
     * Attaches to a driver.
     *
     * @param process name for events and series
     * @throws DetectException no driver runs in the directory
     */
    public static AeronInstrument attach(
            String process, Path aeronDirectory, TimelineListener listener, NanoClock clock) {
        CncFile cnc = CncFile.map(aeronDirectory);
        try {
            LossReportFile lossReport = LossReportFile.map(aeronDirectory);
            StreamReporter reporter = new StreamReporter(process, listener);
            return CncFile.parsed(
                    aeronDirectory, () -> new AeronInstrument(aeronDirectory, cnc, lossReport, reporter, clock));
        } catch (DetectException e) {
            cnc.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "Aeron counters and loss report of " + reporter.process() + " in " + aeronDirectory
                + "; arriving retransmissions are inferred from the receive position";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        if (!cnc.updateValues()) {
            return;
        }
        driverCounters.sample(nowNs, sink);
        arrivals.sample(nowNs, sink);
        for (ReceivedStream stream : received) {
            stream.sample(nowNs, sink);
        }
        for (SentStream stream : sent) {
            stream.sample(nowNs, sink);
        }
    }

    /** While a gap is open, in each of the sampler's periods. */
    @Override
    public long periodNs() {
        for (ReceivedStream stream : received) {
            if (stream.isGapOpen()) {
                return MILLISECOND_NS;
            }
        }
        return CALM_PERIOD_NS;
    }

    @Override
    public void addTo(Watchpoints words) {
        if (cnc.isCopied()) {
            return;
        }
        for (int id : HEARD_COUNTERS) {
            words.addCounter(cnc.counters().valuesBuffer(), CountersReader.counterOffset(id));
        }
    }

    @Override
    public void refresh(long nowNs) {
        cnc.update();
        long fingerprint = StreamCounters.fingerprint(cnc.counters());
        if (fingerprint != streamsFingerprint) {
            streamsFingerprint = fingerprint;
            findStreams(nowNs, true);
        }
        List<LossEntry> now = lossReport.read();
        for (LossEntry entry : now) {
            if (!losses.contains(entry)) {
                reporter.report(new StreamEvent.LossReported(
                        nowNs,
                        reporter.process(),
                        new StreamEvent.Stream(
                                entry.stream().channel(),
                                entry.stream().streamId(),
                                entry.stream().sessionId()),
                        entry.stream().source(),
                        entry.loss().bytesLost(),
                        entry.loss().observations()));
            }
        }
        losses = now;
    }

    /** Bytes that the driver has sent so far; any thread, until this is closed. */
    public MappedCounter bytesSent() {
        return number(AeronCounters.SYSTEM_COUNTER_ID_BYTES_SENT);
    }

    /** Bytes that the driver has received so far; any thread, until this is closed. */
    public MappedCounter bytesReceived() {
        return number(AeronCounters.SYSTEM_COUNTER_ID_BYTES_RECEIVED);
    }

    /** Returns the loss report as of the last refresh. Any thread. */
    public List<LossEntry> losses() {
        return losses;
    }

    @Override
    public void close() {
        long nowNs = clock.nanoTime();
        for (ReceivedStream stream : received) {
            stream.finish(nowNs, "the watch ended");
        }
        received = NONE_RECEIVED;
        sent = NONE_SENT;
        lossReport.close();
        cnc.close();
    }

    private MappedCounter number(int counterId) {
        return new MappedCounter(cnc.counters().valuesBuffer(), CountersReader.counterOffset(counterId));
    }

    /** Drivers allocate a stream's NAK counter last: when it is there, the others are. */
    private void findStreams(long nowNs, boolean fresh) {
        arrivals.find();
        CountersReader counters = cnc.counters();
        List<ReceivedStream> nowReceived = new ArrayList<>();
        List<ReceivedStream> gone = merge(
                StreamCounters.find(counters, AeronCounters.DRIVER_RECEIVER_NAKS_SENT_TYPE_ID),
                List.of(received),
                ReceivedStream::key,
                entry -> new ReceivedStream(entry.getKey(), entry.getValue(), counters, reporter, fresh),
                nowReceived);
        received = nowReceived.toArray(NONE_RECEIVED);
        gone.forEach(stream -> stream.finish(nowNs, "the publisher's image went"));
        List<SentStream> nowSent = new ArrayList<>();
        merge(
                StreamCounters.find(counters, AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID),
                List.of(sent),
                SentStream::key,
                entry -> new SentStream(entry.getKey(), entry.getValue(), counters, reporter, fresh),
                nowSent);
        sent = nowSent.toArray(NONE_SENT);
    }

    /** Keeps what is still there, makes what is new; returns what is gone. */
    private static <S> List<S> merge(
            Map<StreamCounters.Key, Int2IntHashMap> found,
            List<S> before,
            Function<S, StreamCounters.Key> keyOf,
            Function<Map.Entry<StreamCounters.Key, Int2IntHashMap>, S> make,
            List<S> now) {
        List<S> gone = new ArrayList<>();
        for (S stream : before) {
            (found.remove(keyOf.apply(stream)) != null ? now : gone).add(stream);
        }
        for (Map.Entry<StreamCounters.Key, Int2IntHashMap> entry : found.entrySet()) {
            now.add(make.apply(entry));
        }
        return gone;
    }
}
