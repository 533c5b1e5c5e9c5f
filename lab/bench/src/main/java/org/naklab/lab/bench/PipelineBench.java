package org.naklab.lab.bench;

import java.util.function.Consumer;

/** The service against the two primitives that it is made of, over the same bytes. */
public final class PipelineBench {
    private static final int WARM_UPS = 2;
    private static final int INSTRUMENTS = 8;

    private PipelineBench() {}

    /**
     * The results; each rate is the median of the rounds, in events per second.
     *
     * @param ratio pipeline against the slower of the two primitives, median of the rounds' ratios
     * @param contextBytesPerMessage heap allocated on the context thread
     * @param businessBytesPerMessage heap allocated on the business thread
     */
    public record Figures(
            double ratio,
            long pipelinePerSecond,
            long aeronPerSecond,
            long chroniclePerSecond,
            double contextBytesPerMessage,
            double businessBytesPerMessage) {}

    /**
     * Measures.
     *
     * @param progress told what is being done
     */
    public static Figures run(long seed, int events, int rounds, Consumer<String> progress) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        try (BenchDirectory directory = new BenchDirectory()) {
            Pipeline pipeline = new Pipeline(feed, directory);
            InterleavedBenchmark measured = new InterleavedBenchmark(
                    WARM_UPS,
                    rounds,
                    progress,
                    pipeline,
                    new AeronReceive(feed, directory),
                    new ChronicleAppend(feed, directory));
            return new Figures(
                    measured.ratio(0, 1, 2),
                    Math.round(measured.perSecond(0)),
                    Math.round(measured.perSecond(1)),
                    Math.round(measured.perSecond(2)),
                    pipeline.contextBytesPerMessage(),
                    pipeline.businessBytesPerMessage());
        }
    }
}
