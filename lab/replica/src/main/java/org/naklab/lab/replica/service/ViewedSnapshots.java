package org.naklab.lab.replica.service;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.naklab.lab.core.books.BookView;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.subscriber.SnapshotListener;

/**
 * Keeps the latest snapshot of each of the instruments with the lowest numbers, as a gateway views them. Snapshots come on its context thread, and one other
 * thread takes them.
 */
final class ViewedSnapshots implements SnapshotListener {
    static final int INSTRUMENTS = 6;
    private static final int LEVELS = 5;
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NanoClock clock;
    private final ConcurrentSkipListMap<Integer, Seen> latest = new ConcurrentSkipListMap<>();
    private volatile boolean hasNews;
    private long takenNs;

    private record Seen(long atNs, List<BookView.Level> bids, List<BookView.Level> asks) {}

    ViewedSnapshots(NanoClock clock) {
        this.clock = clock;
        takenNs = clock.nanoTime() - INTERVAL_NS;
    }

    @Override
    public void onSnapshot(OrderBookSnapshotDecoder snapshot) {
        int instrument = snapshot.instrumentId();
        if (latest.size() < INSTRUMENTS || instrument <= latest.lastKey()) {
            List<BookView.Level> bids = new ArrayList<>(LEVELS);
            for (OrderBookSnapshotDecoder.BidsDecoder level : snapshot.bids()) {
                if (bids.size() < LEVELS) {
                    bids.add(new BookView.Level(level.price(), level.quantity(), level.orders()));
                }
            }
            List<BookView.Level> asks = new ArrayList<>(LEVELS);
            for (OrderBookSnapshotDecoder.AsksDecoder level : snapshot.asks()) {
                if (asks.size() < LEVELS) {
                    asks.add(new BookView.Level(level.price(), level.quantity(), level.orders()));
                }
            }
            latest.put(instrument, new Seen(clock.nanoTime(), bids, asks));
            while (latest.size() > INSTRUMENTS) {
                latest.pollLastEntry();
            }
            hasNews = true;
        }
    }

    /** Returns the snapshots if there is a new one, not more often than ten times a second; empty otherwise. */
    List<BookView> take() {
        long nowNs = clock.nanoTime();
        if (!hasNews || nowNs - takenNs < INTERVAL_NS) {
            return List.of();
        }
        takenNs = nowNs;
        hasNews = false;
        return latest.entrySet().stream()
                .map(entry -> view(entry.getKey(), entry.getValue(), nowNs))
                .toList();
    }

    private static BookView view(int instrument, Seen seen, long nowNs) {
        return new BookView(
                nowNs,
                BookView.SNAPSHOTS,
                instrument,
                BookView.Validity.VALID,
                0,
                Math.max(0, nowNs - seen.atNs()),
                seen.bids(),
                seen.asks(),
                null);
    }
}
