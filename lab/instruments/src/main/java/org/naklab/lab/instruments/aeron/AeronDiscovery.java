package org.naklab.lab.instruments.aeron;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
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
    /** By directory, the driver's file: another driver may use the directory later. */
    private final Map<Path, String> attached = new HashMap<>();

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
        return attached.isEmpty()
                ? process + " has no Aeron driver mapped"
                : process + " has mapped " + attached.keySet();
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
            attach(directory);
        }
    }

    private void attach(Path directory) {
        try {
            String file = String.valueOf(Files.readAttributes(
                            directory.resolve(CncFileDescriptor.CNC_FILE),
                            BasicFileAttributes.class,
                            LinkOption.NOFOLLOW_LINKS)
                    .fileKey());
            if (!file.equals(attached.get(directory))) {
                adopter.accept(AeronInstrument.attach(process, directory, listener, clock));
                attached.put(directory, file);
            }
        } catch (DetectException | IOException notReadyYet) {
            nextLookNs = clock.nanoTime() + LOOK_PERIOD_NS; // the next look tries again
        }
    }

    @Override
    public void close() {}
}
