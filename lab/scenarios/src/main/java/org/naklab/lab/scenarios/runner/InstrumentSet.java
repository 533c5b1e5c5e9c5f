package org.naklab.lab.scenarios.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.watch.InstrumentRunner;

/** The instruments of one run; one that cannot see is listed, not missed. */
final class InstrumentSet {
    private final InstrumentRunner observatory;
    private final List<String> blind = new ArrayList<>();

    InstrumentSet(InstrumentRunner observatory) {
        this.observatory = observatory;
    }

    /** The listener of the instruments. */
    TimelineListener events() {
        return observatory.events();
    }

    /** Attaches an instrument and takes it over; {@code null} when it cannot see. */
    <T extends Instrument> @Nullable T add(Supplier<T> attach) {
        try {
            T instrument = attach.get();
            observatory.add(instrument);
            return instrument;
        } catch (DetectException e) {
            noteBlind(e);
            return null;
        }
    }

    void noteBlind(DetectException reason) {
        blind.add(String.valueOf(reason.getMessage()));
    }

    /** Those that could not see when they were to begin, each one line. */
    List<String> blind() {
        return List.copyOf(blind);
    }

    List<String> describe() {
        return observatory.describe();
    }

    SamplerStatistics sampler() {
        return observatory.statistics();
    }

    long lostSamples() {
        return observatory.lostSamples();
    }

    void start() {
        observatory.start();
    }

    /** Delivers everything. */
    void stop() {
        observatory.close();
    }
}
