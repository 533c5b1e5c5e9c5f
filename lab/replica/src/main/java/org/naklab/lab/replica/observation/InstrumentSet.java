package org.naklab.lab.replica.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.watch.InstrumentRunner;

/** Holds the instruments of one run or benchmark. One that cannot observe is listed with the reason. */
public final class InstrumentSet {
    private final InstrumentRunner runner;
    private final List<String> blind = new ArrayList<>();

    /** @param runner runs the instruments; not started yet */
    public InstrumentSet(InstrumentRunner runner) {
        this.runner = runner;
    }

    /** Returns the listener that instruments report to. */
    public TimelineListener events() {
        return runner.events();
    }

    /** Adds a listener that is called when an instrument reports an event, on the thread of the instrument. It must be fast. */
    public void addAtOnce(TimelineListener listener) {
        runner.addAtOnce(listener);
    }

    /** Attaches an instrument and takes it over; returns {@code null} if it cannot observe. */
    public <T extends Instrument> @Nullable T add(Supplier<T> attach) {
        try {
            T instrument = attach.get();
            runner.add(instrument);
            return instrument;
        } catch (DetectException e) {
            noteBlind(e);
            return null;
        }
    }

    /** Lists an instrument that cannot observe, or can no longer. */
    public void noteBlind(DetectException reason) {
        blind.add(String.valueOf(reason.getMessage()));
    }

    /** Returns the instruments that cannot observe, each one line with the reason. */
    public List<String> blind() {
        return List.copyOf(blind);
    }

    /** Returns what each instrument reads, one line each. */
    public List<String> describe() {
        return runner.describe();
    }

    /** Returns the cost of the sampler. */
    public SamplerStatistics sampler() {
        return runner.statistics();
    }

    /** Returns the number of samples that were lost because their writer did not keep up. */
    public long lostSamples() {
        return runner.lostSamples();
    }

    /** Starts to sample. */
    public void start() {
        runner.start();
    }

    /** Starts to deliver events, without the sampler; in place of {@link #start} if there are no instruments. */
    public void startWithoutSampler() {
        runner.startWithoutSampler();
    }

    /** Ends the instruments and delivers everything. */
    public void stop() {
        runner.close();
    }
}
