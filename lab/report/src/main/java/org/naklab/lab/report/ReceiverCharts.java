package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.runs.record.PlanRecord;
import org.naklab.lab.runs.record.latency.LatencyFile;

/** Charts of what the receivers went through. */
final class ReceiverCharts {
    private static final long NS_PER_MS = 1_000_000;
    private static final long US_PER_MS = 1_000;
    private static final int MAX_SOCKETS = 4;
    /** A limit that is more than this multiple of the deepest reading is not drawn. */
    private static final int FAR = 16;

    private static final String UNPOLLED = ".unpolledBytes";

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
        long deepest = highest("depthBytes");
        long limit = highest("limitBytes");
        boolean isLimitFar = limit > FAR * Math.max(deepest, 1);
        for (String socket : feedSockets()) {
            String process = nameOf(socket);
            series.add(plotter.gauge(process, "line", process, socket + "depthBytes", 1));
            if (!isLimitFar) {
                addLimit(series, plotter.gauge("limit of " + process, "limit", process, socket + "limitBytes", 1));
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
        for (String socket : feedSockets()) {
            String process = SeriesBuilder.processOf(socket);
            series.add(plotter.counter(nameOf(socket) + " dropped", ChartSeries.TICKS, process, socket + "drops"));
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
    private String nameOf(String socket) {
        String process = SeriesBuilder.processOf(socket);
        return files.run().isOfWatch()
                ? socket.substring(("socket." + process + ".").length(), socket.indexOf('#'))
                : process;
    }

    private long highest(String quantity) {
        return feedSockets().stream()
                .mapToLong(socket -> samples.of(socket + quantity).max())
                .max()
                .orElse(0);
    }

    /** The beginnings of their series' names. Sockets of a watched process that were never used, such as those that only send, are left out if others were. */
    private List<String> feedSockets() {
        List<String> sockets = allFeedSockets();
        List<String> used = sockets.stream()
                .filter(socket -> samples.of(socket + "depthBytes").max() > 0
                        || samples.of(socket + "drops").max() > 0)
                .toList();
        return files.run().isOfWatch() && !used.isEmpty() ? used : sockets;
    }

    private List<String> allFeedSockets() {
        Optional<String> port = Optional.ofNullable(files.run().plan())
                .map(PlanRecord::channels)
                .map(channels -> ":" + channels.basePort() + "#");
        return samples.named("socket.", ".depthBytes").stream()
                .filter(name -> !SeriesBuilder.processOf(name).equals(EXCHANGE))
                .filter(name -> port.isEmpty() || name.contains(port.orElseThrow()))
                .sorted(Comparator.comparingLong(
                                (String name) -> samples.of(name).max())
                        .reversed())
                .limit(MAX_SOCKETS)
                .map(name -> name.substring(0, name.length() - "depthBytes".length()))
                .toList();
    }

    /** Draws how much the clients of a media driver have left to poll, the deepest stream first. */
    Chart unpolled() {
        List<ChartSeries> series = samples.named("aeron.", UNPOLLED).stream()
                .sorted(Comparator.comparingLong(
                                (String name) -> samples.of(name).max())
                        .reversed())
                .limit(MAX_SOCKETS)
                .map(name -> {
                    String process = SeriesBuilder.processOf(name);
                    String stream =
                            name.substring(("aeron." + process + ".").length(), name.length() - UNPOLLED.length());
                    return plotter.gauge(stream, "line", process, name, 1);
                })
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
        for (LatencyFile.Subscriber subscriber : files.latencies().subscribers()) {
            SampleSeries longest = new SampleSeries();
            SampleSeries median = new SampleSeries();
            for (LatencyFile.Interval interval : subscriber.intervals()) {
                longest.add(interval.atNs(), Math.round(interval.maxUs()));
                median.add(interval.atNs(), Math.round(interval.p50Us()));
            }
            String process = subscriber.name();
            series.add(plotter.series(process + " max", process, longest, US_PER_MS));
            if (process.equals(ProcessNames.SERVICE)) {
                series.add(plotter.series(process + " p50", "other", median, US_PER_MS));
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
        for (String gap : samples.named("heartbeat.", ".gapNs")) {
            String process = SeriesBuilder.processOf(gap);
            series.add(plotter.gaps(process, "line", process, gap, NS_PER_MS));
        }
        if (series.isEmpty()) {
            for (String process : processesOf(files.events(TimelineEventType.STALL))) {
                series.add(plotter.lengths(
                        process, "line", process, of(process, files.events(TimelineEventType.STALL)), NS_PER_MS));
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
    private List<String> threads(String quantity) {
        List<String> all = samples.named("thread.", quantity);
        return files.run().isOfWatch()
                ? all.stream()
                        .filter(name -> files.document().stalls().stream()
                                .anyMatch(stall -> name.contains("." + stall.thread() + "#")))
                        .toList()
                : all;
    }

    Chart faults() {
        List<ChartSeries> series = new ArrayList<>();
        for (String minor : threads(".minorFaults")) {
            String process = SeriesBuilder.processOf(minor);
            series.add(plotter.counter(process + " minor", "line", process, minor));
        }
        for (String major : threads(".majorFaults")) {
            String process = SeriesBuilder.processOf(major);
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
        for (String naks : samples.named("aeron.", ".naksSent")) {
            String process = SeriesBuilder.processOf(naks);
            if (naks.equals("aeron." + process + ".naksSent") && !process.equals(EXCHANGE)) {
                series.add(plotter.counter(process + " NAKs sent", "line", process, naks));
            }
        }
        List<String> retransmits = samples.named("aeron." + EXCHANGE + ".retransmitsSent", "");
        retransmits.forEach(
                name -> series.add(plotter.counter("retransmits by the exchange", ChartSeries.TICKS, EXCHANGE, name)));
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
            series.add(plotter.count(
                    process + " NAKs sent", "line", process, of(process, naks), event -> event.longDetail("naks", 1)));
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
