package org.naklab.lab.instruments.forecast;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linking.BindingsReader;
import org.naklab.lab.instruments.watch.ReadSocket;

/**
 * Keeps forecasting the waits of late binds of a process, on a thread of its own: one forecast for a shortage of memory, and one each time more pages of a bind are missing. Waits that would
 * be no stall are left out.
 */
public final class BindForecastMonitor implements AutoCloseable {
    /** A look maps files, which takes of the processors of what is watched. */
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Where reads are limited, the queue for them comes and goes. */
    private static final long QUEUE_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Libraries that were loaded later are found after so long. */
    private static final long BINDINGS_PERIOD_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long SHORTAGE_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    /** A forecast is made again after so long although the same pages are missing: the disk may have become slower. */
    private static final long UNCHANGED_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    /** So long is waited for the headroom of a socket to be known. */
    private static final long HEADROOM_NS = TimeUnit.SECONDS.toNanos(10);

    private static final double STALL_MS = 20;
    /** A forecast is told again if it has become so much longer, or after {@link #BINDINGS_PERIOD_NS}. */
    private static final double LONGER = 1.3;

    private final long pid;
    private final Supplier<List<ReadSocket>> sockets;
    private final Queue<BindForecast> news = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "bind-forecast");
    private volatile boolean running = true;
    private volatile @Nullable String failure;

    /**
     * Starts it.
     *
     * @param sockets of the process that are open, and who reads them
     */
    public BindForecastMonitor(long pid, Supplier<List<ReadSocket>> sockets) {
        this.pid = pid;
        this.sockets = sockets;
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the forecasts that were made since the last call, each one line, and once why there are none. Any thread. */
    public List<String> takeNews() {
        List<String> lines = new ArrayList<>();
        String why = failure;
        if (why != null) {
            lines.add("no forecast of late binds: " + why);
            failure = null;
        }
        for (BindForecast next = news.poll(); next != null; next = news.poll()) {
            lines.add("forecast: " + next.sentence());
        }
        return lines;
    }

    private void run() {
        try {
            boolean isShortageTold = false;
            long beganNs = System.nanoTime();
            long nextShortageNs = beganNs + SHORTAGE_PERIOD_NS;
            long nextUnchangedNs = beganNs;
            while (running) {
                Map<String, Double> toldMs = new HashMap<>();
                BindForecaster forecaster = new BindForecaster(BindingsReader.ofProcess(pid));
                long untilNs = System.nanoTime() + BINDINGS_PERIOD_NS;
                while (running && System.nanoTime() - untilNs < 0) {
                    if (forecaster.isIdle()) {
                        LockSupport.parkNanos(BINDINGS_PERIOD_NS);
                        continue;
                    }
                    long nowNs = System.nanoTime();
                    if (forecaster.look(nowNs) || nowNs - nextUnchangedNs >= 0) {
                        nextUnchangedNs = nowNs + UNCHANGED_PERIOD_NS;
                        longest(forecaster.ofNow(sockets.get())).forEach(each -> tellLonger(each, toldMs));
                    }
                    if (!isShortageTold && nowNs - nextShortageNs >= 0) {
                        nextShortageNs = nowNs + SHORTAGE_PERIOD_NS;
                        List<BindForecast> shortage = longest(forecaster.ofShortage(sockets.get()));
                        boolean isKnown = !shortage.isEmpty()
                                && shortage.stream()
                                        .allMatch(each -> each.buffer().headroomMs() != null);
                        if (isKnown || nowNs - beganNs > HEADROOM_NS) {
                            isShortageTold = true;
                            news.addAll(shortage);
                        }
                    }
                    LockSupport.parkNanos(forecaster.isReadingLimited() ? QUEUE_PERIOD_NS : PERIOD_NS);
                }
            }
        } catch (LabException e) {
            failure = running && ProcessHandle.of(pid).isPresent() ? String.valueOf(e.getMessage()) : null;
        } catch (IOException ended) {
            // There is nothing more to forecast of a process that has ended.
            running = false;
        } catch (RuntimeException | OutOfMemoryError e) {
            // The files of the process may be made to be read wrongly. The watch goes on without forecasts.
            failure = e.toString();
        }
    }

    /** @param toldMs what was told so far, by thread and library */
    private void tellLonger(BindForecast forecast, Map<String, Double> toldMs) {
        String key = forecast.caller().thread() + " " + forecast.caller().library();
        double waitMs = forecast.delay().waitMs();
        if (waitMs > LONGER * toldMs.getOrDefault(key, 0.0)) {
            news.add(forecast);
            toldMs.put(key, waitMs);
        }
    }

    /** Returns the longest wait of each thread in each library, as far as it is a stall. */
    private static List<BindForecast> longest(List<BindForecast> forecasts) {
        List<BindForecast> longest = new ArrayList<>();
        for (BindForecast each : forecasts) {
            boolean isFirst = longest.stream()
                    .noneMatch(other -> other.caller()
                                    .thread()
                                    .equals(each.caller().thread())
                            && other.caller().library().equals(each.caller().library()));
            if (isFirst && each.delay().waitMs() >= STALL_MS) {
                longest.add(each);
            }
        }
        return longest;
    }

    /** Ends it; what was not taken is gone. */
    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
