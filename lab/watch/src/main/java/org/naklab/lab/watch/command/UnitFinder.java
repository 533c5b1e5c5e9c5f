package org.naklab.lab.watch.command;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.aeron.AeronUnit;

/** Finds the media driver of a directory and its clients. Says once what it waits for as long as there is no driver. */
final class UnitFinder implements TargetFinder {
    private final AeronUnit unit;
    private Consumer<String> printer = line -> {};
    private @Nullable String reason;

    UnitFinder(AeronUnit unit) {
        this.unit = unit;
    }

    /** Sets who prints what it waits for. */
    void onWaiting(Consumer<String> linePrinter) {
        printer = linePrinter;
    }

    @Override
    public List<WatchTarget> find() {
        try {
            List<WatchTarget> members =
                    unit.members().stream().map(WatchTarget::of).toList();
            reason = null;
            return members;
        } catch (DetectException noDriverNow) {
            String now = String.valueOf(noDriverNow.getMessage());
            if (!Objects.equals(now, reason)) {
                reason = now;
                printer.accept("waiting for a media driver: " + now);
            }
            return List.of();
        }
    }
}
