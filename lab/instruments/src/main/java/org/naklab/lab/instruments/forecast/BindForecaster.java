package org.naklab.lab.instruments.forecast;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.InputException;
import org.naklab.lab.instruments.disk.Disk;
import org.naklab.lab.instruments.disk.ReadPace;
import org.naklab.lab.instruments.disk.ReadQueue;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.instruments.linking.PendingBind;
import org.naklab.lab.instruments.linking.PendingBind.FilePage;
import org.naklab.lab.instruments.linking.PendingSlots;
import org.naklab.lab.instruments.linux.CachedPages;
import org.naklab.lab.instruments.watch.ReadSocket;

/**
 * Forecasts the waits of binds that are still to come in one process, for the threads that read its UDP sockets. It asks which pages are in memory, and brings none there. One
 * thread.
 */
public final class BindForecaster {
    private static final int PAGE_BYTES = 4_096;
    private static final long SHARED_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String DELETED = " (deleted)";
    /** Nobody was seen waiting for a socket, or taking a datagram. */
    private static final String UNKNOWN_READER = "the thread that reads the socket";

    private final long pid;
    private final List<Candidate> candidates = new ArrayList<>();
    private final Map<Path, Place> places = new HashMap<>();
    private final Map<Disk, ReadQueue> queues = new HashMap<>();
    private final Set<Path> shared = new HashSet<>();
    private final Map<Path, BitSet> resident = new HashMap<>();
    private long nextSharedNs = System.nanoTime();

    /** A bind to come. */
    private record Candidate(String library, List<String> threads, String symbol, PendingBind bind) {}

    /** Tells where a file lies. */
    private record Place(ReadQueue queue, int windowPages) {}

    /** Binds whose forecasts differ in nothing but the name of the symbol. */
    private record Group(
            String thread, boolean seen, String library, List<String> reads, double waitMs, ReadPace pace) {}

    /**
     * Begins with what was read of the process.
     *
     * @param bindings of a process
     */
    public BindForecaster(Bindings bindings) {
        pid = bindings.pid() == null ? 0 : bindings.pid();
        for (Bindings.Library library : bindings.libraries()) {
            for (Bindings.Symbol symbol : library.symbols()) {
                PendingBind pending = symbol.pending();
                if (pending != null) {
                    candidates.add(new Candidate(
                            name(library.file()),
                            Objects.requireNonNullElse(library.threads(), List.of()),
                            symbol.symbol(),
                            pending));
                }
            }
        }
        List<FilePage> pages = candidates.stream()
                .flatMap(candidate -> candidate.bind().pages().stream())
                .toList();
        pages.stream().map(FilePage::file).distinct().forEach(this::locate);
        pages.stream().filter(FilePage::isShared).map(FilePage::file).forEach(shared::add);
    }

    /** Returns whether all symbols are bound: then there is nothing to forecast. */
    public boolean isIdle() {
        return candidates.isEmpty();
    }

    /** Returns whether reads of the process were limited at the last look. */
    public boolean isReadingLimited() {
        return queues.values().stream().anyMatch(ReadQueue::isLimited);
    }

    private void locate(Path file) {
        try {
            Optional<Disk> disk = Disk.of(file);
            if (disk.isPresent()) {
                ReadQueue queue = queues.get(disk.get());
                if (queue == null) {
                    queue = ReadQueue.of(pid, disk.get());
                    queues.put(disk.get(), queue);
                }
                places.put(file, new Place(queue, (int) (disk.get().readAheadBytes() / PAGE_BYTES)));
            }
        } catch (IOException e) {
            throw new InputException(
                    "no forecast of late binds: the disk of " + file + " is not known: " + e.getMessage(), e);
        }
    }

    /**
     * Looks which pages are in memory, and at the pace of reads; to be called often, some times before a forecast. Files that other processes have loaded too are looked at once a second.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     * @return whether other pages are in memory than at the look before
     * @throws IOException the process is gone
     */
    public boolean look(long nowNs) throws IOException {
        queues.values().forEach(queue -> queue.look(nowNs));
        boolean isSharedDue = nowNs - nextSharedNs >= 0;
        if (isSharedDue) {
            nextSharedNs = nowNs + SHARED_PERIOD_NS;
        }
        boolean isChanged = false;
        for (Path file : places.keySet()) {
            if (isSharedDue || !shared.contains(file)) {
                Optional<BitSet> pages = CachedPages.of(file);
                if (pages.isPresent()) {
                    isChanged |= !pages.get().equals(resident.put(file, pages.get()));
                }
            }
        }
        return isChanged;
    }

    /**
     * Forecasts what the next calls will wait for, with the pages that were missing at the last look.
     *
     * @return the longest wait first; empty if all pages are in memory
     * @throws IOException the process is gone
     */
    public List<BindForecast> ofNow(List<ReadSocket> sockets) throws IOException {
        return forecasts(true, page -> isMissing(resident.get(page.file()), page), sockets);
    }

    /**
     * Forecasts what the next calls will wait for when a shortage of memory has taken the pages that no other process has loaded.
     *
     * @return the longest wait first
     * @throws IOException the process is gone
     */
    public List<BindForecast> ofShortage(List<ReadSocket> sockets) throws IOException {
        return forecasts(false, page -> !page.isShared(), sockets);
    }

    private static boolean isMissing(@Nullable BitSet resident, FilePage page) {
        return resident != null && !resident.get((int) page.number());
    }

    private List<BindForecast> forecasts(boolean now, Predicate<FilePage> isMissing, List<ReadSocket> sockets)
            throws IOException {
        Map<Group, List<String>> groups = new LinkedHashMap<>();
        List<String> readers = sockets.stream()
                .flatMap(socket -> socket.threads().isEmpty() ? Stream.of(UNKNOWN_READER) : socket.threads().stream())
                .distinct()
                .sorted()
                .toList();
        for (Candidate candidate : unbound()) {
            List<FilePage> reads = ReadAround.reads(
                    candidate.bind().pages(),
                    page -> places.containsKey(page.file()) && isMissing.test(page),
                    this::windowPages);
            if (reads.isEmpty()) {
                continue;
            }
            ReadPace pace = pace(reads.get(0));
            double waitMs = now ? pace.waitMs(reads.size()) : pace.shortMs(reads.size());
            List<String> where = reads.stream()
                    .map(page -> name(page.library()) + " " + page.section())
                    .toList();
            for (String thread : readers) {
                Group group = new Group(thread, isSeen(candidate, thread), candidate.library(), where, waitMs, pace);
                groups.computeIfAbsent(group, any -> new ArrayList<>()).add(candidate.symbol());
            }
        }
        List<BindForecast> forecasts = new ArrayList<>();
        groups.forEach((group, symbols) -> forecasts.add(forecast(now, group, List.copyOf(symbols), sockets)));
        forecasts.sort(
                Comparator.comparingDouble((BindForecast each) -> each.delay().waitMs())
                        .thenComparing(each -> each.caller().seen())
                        .reversed());
        return forecasts;
    }

    private List<Candidate> unbound() throws IOException {
        List<Candidate> unbound = new ArrayList<>();
        try (PendingSlots slots = PendingSlots.of(pid)) {
            for (Candidate candidate : candidates) {
                if (slots.isUnbound(candidate.bind())) {
                    unbound.add(candidate);
                }
            }
        }
        return unbound;
    }

    /** The kernel marks a file that was deleted meanwhile. */
    private static String name(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return name.endsWith(DELETED) ? name.substring(0, name.length() - DELETED.length()) : name;
    }

    private int windowPages(FilePage page) {
        Place place = places.get(page.file());
        return place == null ? 1 : place.windowPages();
    }

    private ReadPace pace(FilePage page) {
        Place place = places.get(page.file());
        return place == null ? ReadPace.ofDisk(0) : place.queue().pace();
    }

    private static boolean isSeen(Candidate candidate, String label) {
        return candidate.threads().stream().anyMatch(thread -> isSame(thread, label));
    }

    /** A thread of the bindings is {@code name (4712)}; a label is the name, or {@code name#4712} if others have that name. */
    private static boolean isSame(String thread, String label) {
        int bracket = thread.lastIndexOf(" (");
        String name = thread.substring(0, bracket);
        return label.equals(name) || label.equals(name + "#" + thread.substring(bracket + 2, thread.length() - 1));
    }

    private static BindForecast forecast(boolean now, Group group, List<String> symbols, List<ReadSocket> sockets) {
        ReadSocket shortest = sockets.stream()
                .filter(socket -> socket.threads().contains(group.thread())
                        || (socket.threads().isEmpty() && group.thread().equals(UNKNOWN_READER)))
                .min(Comparator.comparing(socket -> socket.socket().headroom().present(), Headroom.LEAST_FIRST))
                .orElseThrow();
        Headroom headroom = shortest.socket().headroom().present();
        @Nullable Double headroomMs = headroom.isKnown() ? headroom.headroomMs() : null;
        return new BindForecast(
                now,
                new BindForecast.Caller(group.thread(), group.seen(), group.library(), symbols),
                new BindForecast.Delay(
                        group.reads(), group.waitMs(), group.pace().words()),
                new BindForecast.Buffer(shortest.socket().identity().endpoint(), headroomMs));
    }
}
