package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.latency.LatencyFile;

/** Charts of what the receivers went through. */
final class ReceiverCharts {
    private static final int MAX_SOCKETS = 4;
    /** A limit that is more than this multiple of the deepest reading is not drawn. */
    private static final int FAR = 16;

    private static final String UNPOLLED = "unpolledBytes";
    private static final String DEPTH = "depthBytes";
    private static final String DROPS = "drops";

    private static final String EXCHANGE = ProcessNames.EXCHANGE;

    private final RunFiles files;
    private final SeriesBuilder plotter;
    private final Samples samples;

    ReceiverCharts(RunFiles files, SeriesBuilder plotter) {
        this.files = files;
        this.plotter = plotter;
        samples = files.samples();
    }

    /** The feed's sockets, deepest first, and their limits, unless those would leave nothing to see of the depths. */
    Chart depth() {
        List<ChartSeries> series = new ArrayList<>();
        long deepest = highest(DEPTH);
        long limit = highest("limitBytes");
        boolean isLimitFar = limit > FAR * Math.max(deepest, 1);
        for (SeriesName socket : feedSockets()) {
            String process = nameOf(socket);
            series.add(plotter.gauge(process, "line", process, socket, 1));
            if (!isLimitFar) {
                addLimit(
                        series,
                        plotter.gauge("limit of " + process, "limit", process, socket.sibling("limitBytes"), 1));
            }
        }
        return Chart.of(
                "depth",
                "Socket depth",
                "bytes waiting in the receive buffer, as counted by the kernel; "
                        + (isLimitFar ? "its limit, " + Format.bytes(limit) + ", is far above" : "dashed: its limit"),
                new ChartAxis("bytes", "socket depth"),
                ChartAxis.NONE,
                series);
    }

    /** Two lines on one another would look like one: limits that coincide are one line with both names. */
    private static void addLimit(List<ChartSeries> series, ChartSeries limit) {
        for (int i = 0; i < series.size(); i++) {
            ChartSeries other = series.get(i);
            if (other.kind().equals(ChartSeries.LIMIT) && isAlike(other, limit)) {
                String both = other.name() + " and " + limit.name().substring("limit of ".length());
                series.set(i, new ChartSeries(both, ChartSeries.LIMIT, "limits", false, 1, other.x(), other.y()));
                return;
            }
        }
        series.add(limit);
    }

    private static boolean isAlike(ChartSeries one, ChartSeries other) {
        return Set.copyOf(one.y()).size() == 1 && Set.copyOf(one.y()).equals(Set.copyOf(other.y()));
    }

    /** The drops of the feed's sockets, apart from the depths: a tick where a socket dropped datagrams. */
    Chart drops() {
        List<ChartSeries> series = new ArrayList<>();
        for (SeriesName socket : feedSockets()) {
            series.add(plotter.counter(
                    nameOf(socket) + " dropped", ChartSeries.TICKS, socket.process(), socket.sibling(DROPS)));
        }
        return Chart.of(
                        "drops",
                        "Datagrams dropped",
                        "one tick per reading of the socket's drop counter that grew, as high as its growth",
                        ChartAxis.count("datagrams"),
                        ChartAxis.NONE,
                        series)
                .asStrip();
    }

    /** Returns the owner, or of a watched process, which may have several sockets, the address. */
    private String nameOf(SeriesName socket) {
        return files.run().isOfWatch()
                ? socket.subject().substring(0, socket.subject().indexOf('#'))
                : socket.process();
    }

    private long highest(String quantity) {
        return feedSockets().stream()
                .mapToLong(socket -> samples.of(socket.sibling(quantity)).max())
                .max()
                .orElse(0);
    }

    /** The series of their depths. Sockets of a watched process that were never used, such as those that only send, are left out if others were. */
    private List<SeriesName> feedSockets() {
        List<SeriesName> sockets = allFeedSockets();
        List<SeriesName> used = sockets.stream()
                .filter(socket -> samples.of(socket).max() > 0
                        || samples.of(socket.sibling(DROPS)).max() > 0)
                .toList();
        return files.run().isOfWatch() && !used.isEmpty() ? used : sockets;
    }

    private List<SeriesName> allFeedSockets() {
        Optional<Long> port = Optional.ofNullable(files.run().origin().plan())
                .map(each -> each.transport().channels())
                .map(channels -> (long) channels.basePort());
        return samples.named(SeriesSource.SOCKET, DEPTH).stream()
                .filter(name -> !name.process().equals(EXCHANGE))
                .filter(name -> port.isEmpty() || name.port().equals(port))
                .sorted(Comparator.comparingLong(
                                (SeriesName name) -> samples.of(name).max())
                        .reversed())
                .limit(MAX_SOCKETS)
                .toList();
    }

    /** Draws how much the clients of a media driver have left to poll, the deepest stream first. */
    Chart unpolled() {
        List<ChartSeries> series = samples.named(SeriesSource.AERON, UNPOLLED).stream()
                .sorted(Comparator.comparingLong(
                                (SeriesName name) -> samples.of(name).max())
                        .reversed())
                .limit(MAX_SOCKETS)
                .map(name -> plotter.gauge(name.subject(), "line", name.process(), name, 1))
                .toList();
        return Chart.of(
                "unpolled",
                "Stream depth",
                "bytes that a subscription has left to poll: of IPC the publisher's position minus the subscriber's",
                new ChartAxis("bytes", "stream depth"),
                ChartAxis.NONE,
                series);
    }

    /** Draws how late events were in the order books, by the time at which they were due. */
    Chart latency() {
        List<ChartSeries> series = new ArrayList<>();
        for (LatencyFile.Subscriber subscriber : files.further().latencies().subscribers()) {
            SampleSeries longest = new SampleSeries();
            SampleSeries median = new SampleSeries();
            for (LatencyFile.Interval interval : subscriber.intervals()) {
                longest.add(interval.atNs(), Math.round(interval.maxUs()));
                median.add(interval.atNs(), Math.round(interval.p50Us()));
            }
            String process = subscriber.name();
            series.add(plotter.series(process + " max", process, longest, Units.MS_US));
            if (process.equals(ProcessNames.SERVICE)) {
                series.add(plotter.series(process + " p50", "other", median, Units.MS_US));
            }
        }
        return Chart.of(
                "latency",
                "Latency of the events",
                "from the time at which an event was due by the exchange's schedule until it was in the order books, at that time; median and longest of each interval",
                new ChartAxis("ms", "latency"),
                ChartAxis.NONE,
                series);
    }

    Chart gaps() {
        List<ChartSeries> series = new ArrayList<>();
        for (SeriesName gap : samples.named(SeriesSource.HEARTBEAT, "gapNs")) {
            String process = gap.process();
            series.add(plotter.gaps(process, "line", process, gap, Units.MS_NS));
        }
        if (series.isEmpty()) {
            for (String process : processesOf(files.events(TimelineEventType.STALL))) {
                series.add(plotter.lengths(
                        process, "line", process, of(process, files.events(TimelineEventType.STALL)), Units.MS_NS));
            }
        }
        boolean isOfWatch = files.run().isOfWatch();
        return Chart.of(
                "gaps",
                isOfWatch ? "Receiving threads: stalls" : "Receipt thread: time without a duty cycle",
                isOfWatch
                        ? "height and width are the time in which a socket held datagrams and its thread did not receive"
                        : "height and width are the time between two duty cycles of the context thread; a gap of 20 ms or more after the warm-up is a stall",
                new ChartAxis("ms", "gap"),
                ChartAxis.NONE,
                series);
    }

    /** Returns the series of the receipt threads; of a watched process, those of the threads that stalled. */
    private List<SeriesName> threads(String quantity) {
        List<SeriesName> all = samples.named(SeriesSource.THREAD, quantity);
        return files.run().isOfWatch()
                ? all.stream()
                        .filter(name -> files.document().stalls().stream()
                                .anyMatch(stall -> name.subject().startsWith(stall.thread() + "#")))
                        .toList()
                : all;
    }

    Chart faults() {
        List<ChartSeries> series = new ArrayList<>();
        for (SeriesName minor : threads("minorFaults")) {
            String process = minor.process();
            series.add(plotter.counter(process + " minor", "line", process, minor));
        }
        for (SeriesName major : threads("majorFaults")) {
            String process = major.process();
            series.add(plotter.counter(process + " major", ChartSeries.TICKS, process, major)
                    .onTheRight());
        }
        return Chart.of(
                "faults",
                "Page faults of the receipt threads",
                "minor faults since the start of the recording; ticks: major faults, for which a page had to be read from disk",
                ChartAxis.count("minor faults"),
                ChartAxis.count("major faults"),
                series);
    }

    Chart naks() {
        List<ChartSeries> series = new ArrayList<>();
        for (SeriesName naks : samples.named(SeriesSource.AERON, "naksSent")) {
            String process = naks.process();
            if (naks.subject().isEmpty() && !process.equals(EXCHANGE)) {
                series.add(plotter.counter(process + " NAKs sent", "line", process, naks));
            }
        }
        List<SeriesName> retransmits = samples.named(SeriesSource.AERON, "retransmitsSent");
        retransmits.stream()
                .filter(name ->
                        name.process().equals(EXCHANGE) && name.subject().isEmpty())
                .forEach(name ->
                        series.add(plotter.counter("retransmits by the exchange", ChartSeries.TICKS, EXCHANGE, name)));
        if (series.isEmpty()) {
            series.addAll(naksByEvents());
        }
        return Chart.of(
                "naks",
                "NAKs and retransmits",
                "NAKs since the start of the recording; ticks: retransmissions by the exchange",
                ChartAxis.count("NAKs, retransmits"),
                ChartAxis.NONE,
                series);
    }

    private List<ChartSeries> naksByEvents() {
        List<TimelineEvent> naks = files.events(TimelineEventType.NAK_SENT);
        List<ChartSeries> series = new ArrayList<>();
        for (String process : processesOf(naks)) {
            series.add(plotter.count(process + " NAKs sent", "line", process, of(process, naks), event -> event.as(
                            StreamEvent.NakSent.class)
                    .map(StreamEvent.NakSent::naks)
                    .orElse(1L)));
        }
        return series;
    }

    private static List<String> processesOf(List<TimelineEvent> events) {
        return events.stream().map(TimelineEvent::process).distinct().sorted().toList();
    }

    private static List<TimelineEvent> of(String process, List<TimelineEvent> events) {
        return events.stream().filter(event -> event.process().equals(process)).toList();
    }
}
