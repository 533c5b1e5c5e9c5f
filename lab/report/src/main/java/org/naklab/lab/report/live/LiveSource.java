package org.naklab.lab.report.live;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.core.pace.ProcessPace.Stage;
import org.naklab.lab.core.series.HeadroomMeter;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadEvent.SendersWoken;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Puts the samples and events of some instruments into a feed. A process has one line on a strip, however many sockets or threads it has. Samples are those that
 * differ from the one before of their series. Called on one thread, except for {@link #onEvent}, {@link #onPace} and {@link #onBooks}.
 */
public final class LiveSource implements AutoCloseable {
    /** A socket that holds datagrams so long while none is taken has a reader that does not read. */
    static final long UNREAD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Something changes all the time, or there is nothing that changes. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Taker NOTHING = (timeNs, value) -> {};

    private final LiveFeed feed;
    private final OpenStalls open;
    private final Map<SeriesName, Taker> takers = new HashMap<>();
    private final Map<String, Receipt> receipts = new HashMap<>();
    private final Set<LiveFeed.Place> places = ConcurrentHashMap.newKeySet();
    private final Map<String, StripLine> silences = new ConcurrentHashMap<>();
    private final Map<String, ProcessPace> paces = new ConcurrentHashMap<>();
    private final Queue<Long> closed = new ConcurrentLinkedQueue<>();
    /** Processes that tell themselves whether their threads go on. */
    private final Set<String> beating = new HashSet<>();

    /** Of the latest sample. */
    private long sampledNs;

    private volatile long knownNs;

    /** Takes the samples of one series. */
    private interface Taker {
        void take(long timeNs, long value);
    }

    LiveSource(LiveFeed feed, long nowNs, OpenStalls open) {
        this.open = open;
        this.feed = feed;
        sampledNs = nowNs;
        knownNs = nowNs;
    }

    /** Returns the time up to which all samples have been taken. */
    long knownNs() {
        return knownNs;
    }

    /** Returns what is known of the latest stall that is over; {@code null}: nothing. Any thread. */
    OpenStalls.@Nullable Examined examined(long nowNs) {
        return open.examined(nowNs);
    }

    /** Returns the places of the lines that it writes. */
    Set<LiveFeed.Place> places() {
        return places;
    }

    /**
     * Takes a sample.
     *
     * @param timeNs CLOCK_MONOTONIC
     */
    public void onSample(long timeNs, SeriesName series, long value) {
        Taker taker = takers.get(series);
        if (taker == null) {
            taker = taker(series);
            takers.put(series, taker);
        }
        sampledNs = Math.max(sampledNs, timeNs);
        taker.take(timeNs, value);
    }

    /**
     * Takes note that all samples have been taken that there are. Those who read them may be late, so nothing is known of the time after the latest sample.
     *
     * @param nowNs CLOCK_MONOTONIC
     */
    public void onProgress(long nowNs) {
        for (Long inode = closed.poll(); inode != null; inode = closed.poll()) {
            long gone = inode;
            receipts.values().forEach(each -> each.close(gone, nowNs));
        }
        long reachedNs = Math.min(nowNs, Math.max(sampledNs, nowNs - QUIET_NS));
        receipts.forEach((process, its) -> {
            its.look(reachedNs);
            feed.noted().forget(process, nowNs).forEach(this::forget);
        });
        knownNs = Math.max(knownNs, reachedNs);
        open.look(feed.noted(), beating, nowNs);
    }

    /** A process that tells its silences itself has told what there was. */
    private void forget(Film.Stalled stall) {
        if (!beating.contains(stall.process())) {
            silence(stall.process(), stall.beginNs(), line -> line.forgetSilence(stall.beginNs(), stall.endNs()));
        }
    }

    /** Takes an event. Any thread. */
    public void onEvent(TimelineEvent event) {
        if (event.process().equals(ProcessNames.EXCHANGE) && isOfStall(event)) {
            return;
        }
        open.onEvent(event);
        String who = event.thread().isEmpty() ? "the thread that polls" : event.thread();
        if (event.type() == TimelineEventType.STALL_BEGAN) {
            if (feed.noted().begin(event.process(), who, event.timeNs())) {
                silence(event.process(), event.timeNs(), line -> line.beginSilence(event.timeNs()));
            }
        } else if (event.type() == TimelineEventType.STALL) {
            feed.noted().report(event.process(), who, event.interval());
            silence(event.process(), event.timeNs(), line -> line.reportSilence(event.timeNs(), event.endNs()));
        } else if (event instanceof SendersWoken woken) {
            StripLine line = line(StripKind.BLOCKED, event.process(), event.process(), StripLine.Kind.TICKS);
            if (line != null) {
                line.add(event.timeNs(), (double) woken.blockedSends());
                feed.change(event.timeNs());
            }
        } else if (event instanceof SocketEvent.Closed socket) {
            closed.add(socket.inode());
        } else if (event.type() == TimelineEventType.PROCESS_ENDED) {
            end(event.process(), event.timeNs());
        }
        feed.tell(event);
    }

    /** Takes how far a process is. Any thread. */
    public void onPace(ProcessPace pace) {
        ProcessPace before = paces.put(pace.process(), pace);
        if (before == null || pace.atNs() <= before.atNs()) {
            return;
        }
        boolean isControl = FilmReader.role(pace.process()).equals("control");
        pace.passed().forEach((stage, count) -> {
            Long earlier = before.passed().get(stage);
            if (earlier != null && !(isControl && stage != Stage.RECEIVED)) {
                String word = stage.name().toLowerCase(Locale.ROOT);
                double perSecond = (count - earlier) * Units.NS_PER_S / (pace.atNs() - before.atNs());
                since(before, StripKind.RATE, pace.process() + ", " + word, word, perSecond);
            }
        });
        ProcessPace.Latency latency = pace.latency();
        if (latency != null) {
            if (!isControl) {
                percentile(before, latency, "50 %", latency.p50Us());
                percentile(before, latency, "99 %", latency.p99Us());
            }
            percentile(before, latency, "99.9 %", latency.p999Us());
        }
    }

    /** Without events there is no latency. */
    private void percentile(ProcessPace before, ProcessPace.Latency latency, String share, double us) {
        double ms = latency.count() == 0 ? Double.NaN : us / Units.US_PER_MS;
        since(before, StripKind.PERCENTILES, before.process() + ", " + share, "", ms);
    }

    /** Adds what holds since the report before. */
    private void since(ProcessPace before, StripKind strip, String name, String stage, double value) {
        StripLine line = place(strip, name, FilmReader.role(before.process()), StripLine.Kind.LEVEL, stage);
        if (line != null) {
            add(line, before.atNs(), value);
        }
    }

    /** Takes the order books that customers see at one moment. Any thread. */
    public void onBooks(List<BookView> books) {
        feed.books().onBooks(books);
    }

    private static boolean isOfStall(TimelineEvent event) {
        return event.type() == TimelineEventType.STALL || event.type() == TimelineEventType.STALL_BEGAN;
    }

    private void end(String process, long timeNs) {
        feed.noted().end(process, timeNs);
        StripLine line = silences.get(process);
        if (line != null) {
            line.endSilence(timeNs, timeNs);
            feed.change(timeNs);
        }
    }

    private void silence(String process, long fromNs, Consumer<StripLine> change) {
        StripLine line = silences.get(process);
        if (line == null) {
            line = line(StripKind.SILENCE, process, process, StripLine.Kind.SILENCE);
        }
        if (line != null) {
            silences.put(process, line);
            change.accept(line);
            feed.change(fromNs);
        }
    }

    private @Nullable StripLine line(StripKind strip, String name, String process, StripLine.Kind kind) {
        return place(strip, name, FilmReader.role(process), kind);
    }

    private @Nullable StripLine place(StripKind strip, String name, String role, StripLine.Kind kind) {
        return place(strip, name, role, kind, "");
    }

    private @Nullable StripLine place(StripKind strip, String name, String role, StripLine.Kind kind, String stage) {
        LiveFeed.Place place = new LiveFeed.Place(strip, name);
        places.add(place);
        return feed.line(place, role, kind, stage);
    }

    private Taker taker(SeriesName series) {
        String process = series.process();
        boolean isReceiver = !process.equals(ProcessNames.EXCHANGE);
        return switch (series.source()) {
            case SOCKET -> isReceiver ? ofSocket(series) : NOTHING;
            case THREAD ->
                series.quantity().equals("majorFaults") ? growth(StripKind.FAULTS, process, process) : NOTHING;
            case AERON -> ofAeron(series, isReceiver);
            case HEARTBEAT -> ofHeartbeat(series);
            case MEMORY, CGROUP -> ofMemory(series);
            case GAUGE -> ofQueue(series);
            default -> NOTHING;
        };
    }

    private Taker ofSocket(SeriesName series) {
        Receipt its = receipts.computeIfAbsent(series.process(), Receipt::new);
        return switch (series.quantity()) {
            case "depthBytes" -> {
                Buffer buffer = its.of(series);
                yield (timeNs, value) -> its.onDepth(buffer, timeNs, value);
            }
            case "limitBytes" -> {
                Buffer buffer = its.of(series);
                yield (timeNs, value) -> its.onLimit(buffer, timeNs, value);
            }
            case "drops" -> growth(StripKind.DROPS, series.process(), series.process());
            default -> NOTHING;
        };
    }

    private Taker ofAeron(SeriesName series, boolean isReceiver) {
        if (!series.subject().isEmpty()) {
            return series.quantity().equals(FilmReader.traffic(series.process()))
                    ? growth(StripKind.TRAFFIC, series.process(), series.process(), StripKind.BYTES_PER_KIB)
                    : NOTHING;
        }
        if (isReceiver && series.quantity().equals("naksSent")) {
            return growth(StripKind.NAKS, "NAKs of " + series.process(), series.process());
        }
        return !isReceiver && series.quantity().equals("retransmitsSent")
                ? growth(StripKind.NAKS, "repairs by the exchange", series.process())
                : NOTHING;
    }

    private Taker ofHeartbeat(SeriesName series) {
        beating.add(series.process());
        if (!series.quantity().equals("gapNs")) {
            return NOTHING;
        }
        return (timeNs, value) -> {
            feed.noted().end(series.process(), series.subject(), timeNs);
            silence(series.process(), timeNs - value, line -> line.endSilence(timeNs - value, timeNs));
        };
    }

    private Taker ofMemory(SeriesName series) {
        String of = series.process().isEmpty() ? "" : ", by the limit of " + series.process();
        StripLine line =
                switch (series.quantity()) {
                    case "freeBytes" -> place(StripKind.MEMORY, "free" + of, "suspect", StripLine.Kind.LEVEL);
                    case "cachedBytes" -> place(StripKind.MEMORY, "page cache" + of, "control", StripLine.Kind.LEVEL);
                    default -> null;
                };
        return line == null ? NOTHING : (timeNs, value) -> add(line, timeNs, value / StripKind.BYTES_PER_MIB);
    }

    private Taker ofQueue(SeriesName series) {
        String stage = FilmReader.queue(series);
        StripLine line = stage.isEmpty()
                ? null
                : place(
                        StripKind.QUEUES,
                        stage + " of " + series.process(),
                        FilmReader.role(series.process()),
                        StripLine.Kind.LEVEL,
                        stage);
        return line == null ? NOTHING : (timeNs, value) -> add(line, timeNs, (double) value);
    }

    private Taker growth(StripKind strip, String name, String process) {
        return growth(strip, name, process, 1);
    }

    private Taker growth(StripKind strip, String name, String process, double divisor) {
        StripLine line = line(strip, name, process, StripLine.Kind.TICKS);
        return line == null ? NOTHING : new Growth(line, divisor);
    }

    private void add(StripLine line, long timeNs, double value) {
        line.add(timeNs, value);
        feed.change(timeNs);
    }

    /** The growth of one counter on the line of its process. */
    private final class Growth implements Taker {
        private final StripLine line;
        private final double divisor;
        private long last = -1;

        Growth(StripLine line, double divisor) {
            this.line = line;
            this.divisor = divisor;
        }

        @Override
        public void take(long timeNs, long value) {
            if (last >= 0 && value > last) {
                add(line, timeNs, (value - last) / divisor);
            }
            last = value;
        }
    }

    /** The receive queue of a socket. */
    private static final class Buffer {
        private final String who;
        private final long inode;
        private long depthBytes;
        private long limitBytes;
        private long unreadSinceNs;
        private boolean isUnread;
        private @Nullable HeadroomMeter headroom;

        Buffer(String who, long inode) {
            this.inode = inode;
            this.who = who;
        }

        private void measure(long timeNs) {
            HeadroomMeter meter = headroom;
            if (meter == null) {
                headroom = new HeadroomMeter(timeNs, depthBytes, 0);
            } else {
                meter.update(timeNs, depthBytes, limitBytes, 0);
            }
        }

        /** Returns the time until it is full if nobody reads, ms; not a number: not known. */
        private double leftMs(long nowNs) {
            double leftMs = headroom == null ? Headroom.UNKNOWN : headroom.leftMs(limitBytes, nowNs);
            return leftMs < 0 ? Double.NaN : leftMs;
        }
    }

    /** The receive queues of a process: how much the fullest holds, and which of them nobody reads. */
    private final class Receipt {
        private final String process;
        private final Map<String, Buffer> bySubject = new HashMap<>();
        private final @Nullable StripLine depth;
        private final @Nullable StripLine limit;
        private @Nullable Buffer fullest;
        private @Nullable StripLine headroom;
        private long shownLimitBytes = -1;

        Receipt(String process) {
            this.process = process;
            String role = FilmReader.role(process);
            depth = line(StripKind.DEPTH, process, process, StripLine.Kind.LEVEL);
            limit = role.equals("suspect")
                    ? place(StripKind.DEPTH, "limit of " + process, "limit", StripLine.Kind.LIMIT)
                    : null;
            // A line at zero says that it is looked at.
            silence(process, Long.MAX_VALUE, line -> {});
        }

        private Buffer of(SeriesName series) {
            return bySubject.computeIfAbsent(
                    series.subject(),
                    key -> new Buffer(
                            series.port()
                                    .map(port -> "the reader of port " + port)
                                    .orElse("the reader of a socket"),
                            series.inode().orElse(0L)));
        }

        private void onDepth(Buffer buffer, long timeNs, long bytes) {
            boolean hasFallen = bytes < buffer.depthBytes;
            if (hasFallen || bytes == 0 || buffer.depthBytes == 0) {
                end(buffer, timeNs);
                buffer.unreadSinceNs = timeNs;
            }
            buffer.depthBytes = bytes;
            buffer.measure(timeNs);
            look(buffer, timeNs);
            Buffer most = fullest;
            if (most == buffer && hasFallen) {
                fullest = fullest();
            } else if (most == null || bytes > most.depthBytes) {
                fullest = buffer;
            }
            show(timeNs);
        }

        private @Nullable Buffer fullest() {
            return bySubject.values().stream()
                    .max(Comparator.comparingLong(each -> each.depthBytes))
                    .orElse(null);
        }

        private void close(long inode, long nowNs) {
            boolean isGone = bySubject.values().removeIf(each -> {
                if (each.inode == inode) {
                    end(each, nowNs);
                }
                return each.inode == inode;
            });
            if (isGone) {
                fullest = fullest();
                show(nowNs);
            }
        }

        private void onLimit(Buffer buffer, long timeNs, long bytes) {
            buffer.limitBytes = bytes;
            show(timeNs);
        }

        private void show(long timeNs) {
            Buffer most = fullest;
            if (most == null) {
                return;
            }
            if (depth != null) {
                add(depth, timeNs, most.depthBytes / StripKind.BYTES_PER_KIB);
            }
            showHeadroom(timeNs, most.leftMs(timeNs));
            boolean isUsed = most.depthBytes > 0 && most.limitBytes > 0;
            if (limit != null && isUsed && most.limitBytes != shownLimitBytes) {
                shownLimitBytes = most.limitBytes;
                add(limit, timeNs, shownLimitBytes / StripKind.BYTES_PER_KIB);
            }
        }

        /** There is no line before the first figure. */
        private void showHeadroom(long timeNs, double leftMs) {
            boolean isKnown = !Double.isNaN(leftMs) && FilmReader.role(process).equals("suspect");
            if (headroom == null && isKnown) {
                headroom = line(StripKind.HEADROOM, process, process, StripLine.Kind.LEVEL);
            }
            if (headroom != null) {
                add(headroom, timeNs, leftMs);
            }
        }

        private void look(long nowNs) {
            bySubject.values().forEach(each -> look(each, nowNs));
        }

        private void look(Buffer buffer, long nowNs) {
            boolean isUnread = buffer.depthBytes > 0 && nowNs - buffer.unreadSinceNs >= UNREAD_NS;
            if (isUnread && !buffer.isUnread && !beating.contains(process)) {
                buffer.isUnread = true;
                boolean unused = feed.noted().begin(process, buffer.who, buffer.unreadSinceNs);
                silence(process, buffer.unreadSinceNs, line -> line.beginSilence(buffer.unreadSinceNs));
            }
        }

        private void end(Buffer buffer, long timeNs) {
            if (buffer.isUnread) {
                buffer.isUnread = false;
                feed.noted().end(process, buffer.who, timeNs);
                silence(process, buffer.unreadSinceNs, line -> line.endSilence(buffer.unreadSinceNs, timeNs));
                bySubject.values().stream()
                        .filter(each -> each.isUnread)
                        .forEach(each -> silence(process, timeNs, line -> line.beginSilence(timeNs)));
            }
        }
    }

    /** Ends what lasts: nobody looks any more. */
    @Override
    public void close() {
        silences.keySet().forEach(each -> end(each, knownNs));
        feed.close(this);
    }
}
