package org.naklab.lab.report.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.books.BookView.Level;
import org.naklab.lab.core.books.BookViewer;

/**
 * The order books that customers see, over time, and how old and how wrong they are: a book is stale when its best prices are not those of the exchange at the same
 * moment. The latest snapshots of the service come beside them. Safe for several threads.
 */
final class BookMoments implements BookViewer {
    /** Smallest step of a price: a cent. */
    static final long TICK = 100;
    /** Every book is some milliseconds behind; what is older is late. */
    static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final double UNITS = 10_000;

    private final int mostKept;
    private final long keptNs;
    /** By time. */
    private final List<Moment> moments = new ArrayList<>();

    private long next;

    /**
     * Tells what customers see at one time.
     *
     * @param number counts the moments
     * @param worst the most expensive late price so far, by process and instrument
     */
    record Moment(long number, long atNs, List<BookView> books, Map<Key, Late> worst) {
        Moment {
            books = List.copyOf(books);
            worst = Map.copyOf(worst);
        }
    }

    private record Key(String process, int instrument) {}

    /**
     * A late price.
     *
     * @param ageNs how old
     * @param ticks how far the best prices are from those of the exchange
     */
    private record Late(long atNs, long ageNs, long ticks) {
        boolean isWorseThan(@Nullable Late other) {
            return other == null || ticks > other.ticks || (ticks == other.ticks && ageNs > other.ageNs);
        }
    }

    /** @param mostKept moments; older ones are forgotten */
    BookMoments(int mostKept) {
        this(mostKept, Long.MAX_VALUE);
    }

    /**
     * Creates a store.
     *
     * @param mostKept moments; older ones are forgotten
     * @param keptNs the moments of so much time before the latest are known; older ones are forgotten
     */
    BookMoments(int mostKept, long keptNs) {
        this.mostKept = mostKept;
        this.keptNs = keptNs;
    }

    @Override
    public synchronized void onBooks(List<BookView> books) {
        if (books.isEmpty()) {
            return;
        }
        Map<Key, Late> worst = moments.isEmpty()
                ? new LinkedHashMap<>()
                : new LinkedHashMap<>(moments.get(moments.size() - 1).worst());
        for (BookView book : books) {
            Late late = late(books, book);
            if (late != null && late.ageNs() >= LATE_NS) {
                worst.merge(
                        new Key(book.process(), book.instrument()),
                        late,
                        (before, now) -> now.isWorseThan(before) ? now : before);
            }
        }
        Moment latest = moment(books, worst);
        moments.add(latest);
        // The first one is what was seen until the second.
        while (moments.size() > mostKept
                || (moments.size() > 1 && latest.atNs() - moments.get(1).atNs() >= keptNs)) {
            moments.remove(0);
        }
    }

    /** Adds what others have seen before: customers and snapshots are looked at by two processes. */
    private Moment moment(List<BookView> books, Map<Key, Late> worst) {
        Moment before = moments.isEmpty() ? null : moments.get(moments.size() - 1);
        long atNs = books.get(0).atNs();
        if (before == null) {
            return new Moment(next++, atNs, books, worst);
        }
        Set<String> seen = books.stream().map(BookView::process).collect(Collectors.toSet());
        List<BookView> all = new ArrayList<>(books);
        before.books().stream().filter(book -> !seen.contains(book.process())).forEach(all::add);
        return new Moment(next++, Math.max(atNs, before.atNs()), all, worst);
    }

    /** Returns the latest moment up to a time; {@code null}: there is none. */
    synchronized @Nullable Moment at(long timeNs) {
        int low = 0;
        int high = moments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (moments.get(middle).atNs() <= timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : moments.get(low - 1);
    }

    /** Returns how a book differs from that of the exchange; {@code null}: it does not. */
    private static @Nullable Late late(List<BookView> books, BookView book) {
        BookView truth = books.stream()
                .filter(each ->
                        each.instrument() == book.instrument() && each.process().equals(ProcessNames.EXCHANGE))
                .findFirst()
                .orElse(null);
        if (truth == null || book.ageNs() < 0 || book.process().equals(BookView.SNAPSHOTS)) {
            return null;
        }
        long ticks = Math.max(distance(truth.bids(), book.bids()), distance(truth.asks(), book.asks()));
        return ticks == 0 ? null : new Late(book.atNs(), book.ageNs(), ticks);
    }

    /** Returns how many ticks the best prices are apart; 0 if a side is empty. */
    private static long distance(List<Level> one, List<Level> other) {
        return one.isEmpty() || other.isEmpty()
                ? 0
                : (Math.abs(one.get(0).price() - other.get(0).price()) + TICK - 1) / TICK;
    }

    /**
     * Returns the message of one instrument.
     *
     * @param wanted the instrument; the first if it is not there
     * @param beginNs from which times are counted
     */
    static Map<String, Object> message(Moment moment, int wanted, long beginNs) {
        List<Integer> instruments = moment.books().stream()
                .map(BookView::instrument)
                .distinct()
                .sorted()
                .toList();
        int instrument = instruments.contains(wanted) ? wanted : instruments.get(0);
        List<Map<String, Object>> views = moment.books().stream()
                .filter(book -> book.instrument() == instrument)
                .sorted(Comparator.comparing(BookView::process))
                .map(book -> view(moment, book, beginNs))
                .toList();
        return Map.of(
                "atMs", (moment.atNs() - beginNs) / Units.NS_PER_MS,
                "instruments", instruments,
                "instrument", instrument,
                "views", views);
    }

    private static Map<String, Object> view(Moment moment, BookView book, long beginNs) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("process", book.process());
        view.put("validity", book.validity().name().toLowerCase(java.util.Locale.ROOT));
        view.put("suspectSince", book.suspectSince());
        // A snapshot grows older until the next one has come.
        long sinceNs = book.process().equals(BookView.SNAPSHOTS) ? moment.atNs() - book.atNs() : 0;
        view.put("ageMs", book.ageNs() < 0 ? -1 : (book.ageNs() + sinceNs) / Units.NS_PER_MS);
        view.put("bids", levels(book.bids()));
        view.put("asks", levels(book.asks()));
        BookView.Trade trade = book.trade();
        if (trade != null) {
            view.put(
                    "trade",
                    Map.of(
                            "atMs",
                            (trade.atNs() - beginNs) / Units.NS_PER_MS,
                            "price",
                            trade.price() / UNITS,
                            "quantity",
                            trade.quantity()));
        }
        Late late = late(moment.books(), book);
        view.put("ticks", late == null ? 0 : late.ticks());
        view.put("isLate", late != null && late.ageNs() >= LATE_NS);
        Late worst = moment.worst().get(new Key(book.process(), book.instrument()));
        if (worst != null) {
            view.put("worst", told(worst, beginNs));
        }
        return view;
    }

    private static Map<String, Object> told(Late late, long beginNs) {
        return Map.of(
                "atMs",
                (late.atNs() - beginNs) / Units.NS_PER_MS,
                "ageMs",
                late.ageNs() / Units.NS_PER_MS,
                "ticks",
                late.ticks());
    }

    private static List<List<Object>> levels(List<Level> levels) {
        return levels.stream()
                .map(level -> List.<Object>of(level.price() / UNITS, level.quantity(), level.orders()))
                .toList();
    }

    /** Returns whether two are the same moment. */
    static boolean isSame(@Nullable Moment one, @Nullable Moment other) {
        return Objects.equals(one == null ? null : one.number(), other == null ? null : other.number());
    }
}
