package org.naklab.lab.studies.observer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.pipeline.EncodedFeed;
import org.naklab.lab.tools.pipeline.Pipeline;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;
import org.naklab.subscriber.ServiceCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline in a process of its own, so that whoever looks at it does so from outside, as in a run. Ends with its standard input.
 *
 * <pre>
 * in   run                  launch the service
 * out  its Aeron directory  the service is up
 * in   go                   let the traffic flow
 * in   on | off             the replica's own instruments; off at first
 * in   look
 * out  time and events      on the monotonic clock, in ns; in the books and in the journal by then
 * in   end                  once the whole feed is in the books and in the journal, close the service
 * out  done
 * </pre>
 */
final class PipelineProcess implements Pipeline.Observer {
    private static final Logger LOGGER = LoggerFactory.getLogger(PipelineProcess.class);

    static final String RUN = "run";
    static final String GO = "go";
    static final String ON = "on";
    static final String OFF = "off";
    static final String LOOK = "look";
    static final String END = "end";
    static final String DONE = "done";

    private static final int INSTRUMENTS = 8;

    private final PrintStream out;
    private CountDownLatch go = new CountDownLatch(1);
    private CountDownLatch end = new CountDownLatch(1);
    private @Nullable Thread running;
    private String aeron = "";
    private volatile @Nullable InProcessInstruments instruments;
    private volatile @Nullable ServiceCounters counters;

    private PipelineProcess(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the pipeline as often as it is told to.
     *
     * @param args seed and number of events
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PipelineProcess process = new PipelineProcess(System.out);
        EncodedFeed feed = EncodedFeed.synthetic(Long.parseLong(args[0]), INSTRUMENTS, Integer.parseInt(args[1]));
        try (BenchDirectory directory = new BenchDirectory()) {
            Pipeline pipeline = new Pipeline(feed, directory, process);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                process.obey(line, pipeline);
            }
        }
    }

    private void obey(String line, Pipeline pipeline) throws InterruptedException {
        switch (line) {
            case RUN -> begin(pipeline);
            case GO -> go.countDown();
            case ON, OFF -> known(instruments).turn(line.equals(ON));
            case LOOK -> look(known(counters));
            case END -> finish();
            default -> throw new IllegalArgumentException("unknown command: " + line);
        }
    }

    private void begin(Pipeline pipeline) {
        go = new CountDownLatch(1);
        end = new CountDownLatch(1);
        Thread thread = new Thread(pipeline::perSecond, "bench-pipeline");
        thread.setUncaughtExceptionHandler((failed, error) -> {
            LOGGER.error("the pipeline failed", error);
            Runtime.getRuntime().halt(1);
        });
        // Without whoever tells it what to do, the process ends in the middle of a run.
        thread.setDaemon(true);
        thread.start();
        running = thread;
    }

    private void look(ServiceCounters progress) {
        out.println(System.nanoTime() + " " + Pipeline.finished(progress));
    }

    private void finish() throws InterruptedException {
        end.countDown();
        known(running).join();
        known(instruments).close();
        instruments = null;
        out.println(DONE);
    }

    @Override
    public void prepare(MarketDataService.Context service, MessagingContext.Context messaging, String aeronDirectory) {
        aeron = aeronDirectory;
        instruments = InProcessInstruments.prepare(service, messaging, aeronDirectory);
    }

    @Override
    public void onLaunch(MarketDataService service) {
        known(instruments).observe(service);
        counters = service.counters();
        out.println(aeron);
        await(go);
    }

    @Override
    public void onEnd() {
        await(end);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the bench has ended", e);
        }
    }

    private static <T> T known(@Nullable T what) {
        if (what == null) {
            throw new IllegalStateException("nothing runs");
        }
        return what;
    }
}
