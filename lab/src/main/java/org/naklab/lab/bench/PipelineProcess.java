package org.naklab.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/**
 * The pipeline in a process of its own, so that whoever looks at it does so from outside, as in a run. Ends with its standard input.
 *
 * <pre>
 * in   watched | alone     run once, with the replica's own instruments or without
 * out  its Aeron directory  the service is up
 * in   go                   let the traffic flow
 * out  done                 all is in the books and in the journal
 * in   go                   close the service
 * out  events a second
 * </pre>
 */
final class PipelineProcess implements Pipeline.Eye {
    static final String WATCHED = "watched";
    static final String ALONE = "alone";
    static final String GO = "go";
    static final String DONE = "done";

    private static final int INSTRUMENTS = 8;

    private final BufferedReader in;
    private final PrintStream out;
    private String aeron = "";
    private boolean watched;
    private @Nullable OwnInstruments instruments;

    private PipelineProcess(BufferedReader in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Runs the pipeline as often as it is told to.
     *
     * @param args seed and number of events
     */
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PipelineProcess process = new PipelineProcess(in, System.out);
        EncodedFeed feed = EncodedFeed.synthetic(Long.parseLong(args[0]), INSTRUMENTS, Integer.parseInt(args[1]));
        try (BenchDirectory directory = new BenchDirectory()) {
            process.run(new Pipeline(feed, directory, process));
        }
    }

    private void run(Pipeline pipeline) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            watched = line.equals(WATCHED);
            double perSecond = pipeline.perSecond();
            OwnInstruments.closeAny(instruments);
            instruments = null;
            out.println(perSecond);
        }
    }

    @Override
    public void prepare(MarketDataService.Context service, MessagingContext.Context messaging, String aeronDirectory) {
        aeron = aeronDirectory;
        if (watched) {
            instruments = OwnInstruments.prepare(service, messaging, aeronDirectory);
        }
    }

    @Override
    public void onLaunch(MarketDataService service) {
        if (instruments != null) {
            instruments.tell(service);
        }
        out.println(aeron);
        awaitGo();
    }

    @Override
    public void onEnd() {
        out.println(DONE);
        awaitGo();
    }

    private void awaitGo() {
        try {
            if (!GO.equals(in.readLine())) {
                throw new IllegalStateException("the bench has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
