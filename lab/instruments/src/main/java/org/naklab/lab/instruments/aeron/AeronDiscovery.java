package org.naklab.lab.instruments.aeron;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/** Looks once a second whether the process has an Aeron driver's file mapped, and attaches to each it finds. */
public final class AeronDiscovery implements Instrument {
    private static final long LOOK_PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final String process;
    private final long pid;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final Consumer<Instrument> adopter;
    private final Set<Path> attached = new HashSet<>();
    private long nextLookNs;

    public AeronDiscovery(
            String process, long pid, TimelineListener listener, NanoClock clock, Consumer<Instrument> adopter) {
        this.process = process;
        this.pid = pid;
        this.listener = listener;
        this.clock = clock;
        this.adopter = adopter;
        nextLookNs = clock.nanoTime();
        refresh(nextLookNs);
    }

    @Override
    public String describe() {
        return attached.isEmpty() ? process + " has no Aeron driver mapped" : process + " has mapped " + attached;
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public void refresh(long nowNs) {
        if (nowNs - nextLookNs < 0) {
            return;
        }
        nextLookNs = nowNs + LOOK_PERIOD_NS;
        for (Path directory : AeronDirectoryFinder.find(pid)) {
            if (!attached.contains(directory)) {
                attach(directory);
            }
        }
    }

    private void attach(Path directory) {
        try {
            adopter.accept(AeronInstrument.attach(process, directory, listener, clock));
            attached.add(directory);
        } catch (DetectException notReadyYet) {
            nextLookNs = clock.nanoTime() + LOOK_PERIOD_NS; // the next look tries again
        }
    }

    @Override
    public void close() {}
}
