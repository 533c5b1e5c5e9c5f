package org.naklab.lab.cli.watch;

import java.util.List;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.aeron.AeronUnit;

/** Finds the media driver of a directory and its clients. */
final class UnitFinder implements TargetFinder {
    private final AeronUnit unit;

    UnitFinder(AeronUnit unit) {
        this.unit = unit;
    }

    @Override
    public List<WatchTarget> find() {
        try {
            return unit.members().stream().map(WatchTarget::of).toList();
        } catch (DetectException noDriverNow) {
            return List.of(); // one may start again
        }
    }
}
