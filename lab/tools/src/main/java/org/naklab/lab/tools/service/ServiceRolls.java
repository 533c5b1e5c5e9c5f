package org.naklab.lab.tools.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.naklab.journaler.Journal;
import org.naklab.journaler.RollPeriod;
import org.naklab.journaler.disk.Disk;
import org.naklab.journaler.disk.LocalDisk;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.pipeline.EncodedFeed;
import org.naklab.lab.tools.pipeline.Pipeline;
import org.naklab.lab.tools.tune.workload.Figure;
import org.naklab.lab.tools.tune.workload.WorkloadResult;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/**
 * Sends a paced flow to the service whose journal rolls: while the journal's thread begins a file, messages wait in the ring, and if the ring were full the receipt
 * thread would have to refuse them.
 */
public final class ServiceRolls {
    /** The system property with the period of the journal's files: {@code day} or {@code second}. */
    public static final String PERIOD = "naklab.tune.roll";

    /** The system property with a time that the disk needs in addition for the first block of a file, ms. */
    public static final String SLOW_BEGIN = "naklab.tune.slow-begin";

    private static final int EVENTS_PER_SECOND = 20_000;
    private static final int MOST_EVENTS = 60_000;
    private static final int INSTRUMENTS = 8;
    private static final int WARM_UPS = 1;

    private ServiceRolls() {}

    /**
     * Measures.
     *
     * @return the most messages that waited for the journal in each round
     */
    public static WorkloadResult run(long seed, int events, int rounds) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, Math.min(events, MOST_EVENTS));
        List<ReceiptRecorder.Receipt> measured = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            try (BenchDirectory directory = new BenchDirectory()) {
                Observer observer = new Observer(directory.disk(), feed.events());
                double unused = new Pipeline(feed, directory, observer, EVENTS_PER_SECOND).perSecond();
                if (round >= 0) {
                    measured.add(observer.recorder.receipt());
                }
            }
        }
        return new WorkloadResult(
                measured.stream().map(receipt -> (double) receipt.deepest()).toList(),
                List.of(
                        figure("messages waiting at a roll", measured, ReceiptRecorder.Receipt::deepestAtRoll),
                        figure("between", measured, ReceiptRecorder.Receipt::deepestBetween),
                        figure(
                                "longest callback at a roll, µs",
                                measured,
                                receipt -> receipt.longestAtRollNs() / Units.NS_PER_US),
                        figure(
                                "callback between, µs",
                                measured,
                                receipt -> receipt.longestBetweenNs() / Units.NS_PER_US),
                        figure("longest roll, µs", measured, receipt -> receipt.longestRollNs() / Units.NS_PER_US)),
                List.of(measured.get(0).rolls() + " files were begun after the first in the first round"));
    }

    private static Figure figure(
            String name, List<ReceiptRecorder.Receipt> rounds, ToDoubleFunction<ReceiptRecorder.Receipt> value) {
        return new Figure(name, Median.of(rounds.stream().mapToDouble(value)));
    }

    private static RollPeriod period() {
        return RollPeriod.valueOf(System.getProperty(PERIOD, "day").toUpperCase(Locale.ROOT));
    }

    /** A disk that needs longer for the first blocks of a file. */
    private static Disk disk() {
        long slowNs = TimeUnit.MILLISECONDS.toNanos(Integer.getInteger(SLOW_BEGIN, 0));
        if (slowNs == 0) {
            return LocalDisk.INSTANCE;
        }
        return new Disk() {
            @Override
            public void allocate(Path file, long offset, long lengthBytes) throws IOException {
                if (offset == 0) {
                    long endNs = System.nanoTime() + slowNs;
                    while (System.nanoTime() - endNs < 0) {
                        LockSupport.parkNanos(endNs - System.nanoTime());
                    }
                }
                LocalDisk.INSTANCE.allocate(file, offset, lengthBytes);
            }

            @Override
            public void force(Path path) throws IOException {
                LocalDisk.INSTANCE.force(path);
            }
        };
    }

    private static final class Observer implements Pipeline.Observer {
        private final Path journal;
        private final ReceiptRecorder recorder;

        Observer(Path journal, int events) {
            this.journal = journal;
            recorder = new ReceiptRecorder(events);
        }

        @Override
        public void prepare(MarketDataService.Context service, MessagingContext.Context messaging, String aeron) {
            service.journalContext(new Journal.Context()
                            .directory(journal)
                            .forceOnClose(false)
                            .rollPeriod(period())
                            .disk(disk())
                            .rollListener(recorder::onRoll))
                    .feedHandlerDecorator(recorder::observe);
        }

        @Override
        public void onLaunch(MarketDataService service) {
            recorder.begin(service.counters());
        }

        /** Does nothing: what was recorded is read after the service has ended. */
        @Override
        public void onEnd() {}
    }
}
