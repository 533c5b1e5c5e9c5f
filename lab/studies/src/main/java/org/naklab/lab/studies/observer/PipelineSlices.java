package org.naklab.lab.studies.observer;

import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.process.AskedProcess;

/** Runs of the pipeline in another process, measured in slices. */
final class PipelineSlices {
    /** Length of a slice in which what is measured is halted, ns. */
    static final long ALONE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Length of a slice in which it goes on, ns. It is longer because all threads of a halted process wake up when the process goes on. */
    private static final long BESIDE_NS = 2 * ALONE_NS;

    /** Time for attaching, ns; its cost is not part of what is measured, which lasts. */
    private static final long ATTACH_NS = TimeUnit.SECONDS.toNanos(2);

    /** A new service's code is compiled, and its journal's first pages are made, in the first of its messages. */
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

    private final AskedProcess pipeline;
    private final int events;

    /** The progress of the pipeline at a time. */
    record Look(long timeNs, long events) {}

    /** @param events of the pipeline's feed */
    PipelineSlices(AskedProcess pipeline, int events) {
        this.pipeline = pipeline;
        this.events = events;
    }

    /** Launches the service; returns its Aeron directory. */
    String launch() {
        pipeline.send(PipelineProcess.RUN);
        return pipeline.next();
    }

    /** Lets the traffic flow, after the time that those who attached need. */
    void go() {
        pause(ATTACH_NS);
        pipeline.send(PipelineProcess.GO);
    }

    /** Waits until rates count. */
    static void warmUp() {
        pause(WARM_UP_NS);
    }

    /** Waits for the rest of the feed, and closes the service. */
    void end() {
        pipeline.send(PipelineProcess.END);
        String unused = pipeline.next();
    }

    /** Returns whether the feed has ended. */
    boolean isOver() {
        return look().events() >= events;
    }

    Look look() {
        pipeline.send(PipelineProcess.LOOK);
        String[] fields = pipeline.next().split(" ", -1);
        return new Look(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
    }

    /** Returns the events a second from now to a slice later in which what is measured is halted; none if the feed has ended meanwhile. */
    OptionalDouble aloneRate() {
        return rate(look(), ALONE_NS);
    }

    /** Returns the events a second from that look to one a slice later in which it goes on; none if the feed has ended meanwhile. */
    OptionalDouble besideRate(Look from) {
        return rate(from, BESIDE_NS);
    }

    private OptionalDouble rate(Look from, long sliceNs) {
        pause(sliceNs);
        Look to = look();
        if (to.events() >= events) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Units.NS_PER_S * (to.events() - from.events()) / (to.timeNs() - from.timeNs()));
    }

    static void pause(long ns) {
        long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
