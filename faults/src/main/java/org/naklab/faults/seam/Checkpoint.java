package org.naklab.faults.seam;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.collections.ArrayUtil;

/**
 * A place that a thread passes again and again: the beginning of a duty cycle, of a callback, of an append to the journal.
 * With nothing installed, passing costs one volatile read.
 */
public final class Checkpoint {
    private static final Runnable[] NOTHING = {};

    private volatile Runnable[] obstacles = NOTHING;

    /** Called by the thread each time it comes by. */
    public void pass() {
        for (Runnable obstacle : obstacles) {
            obstacle.run();
        }
    }

    /** From now on the obstacle runs, on the passing thread, at each pass. */
    public synchronized void install(Runnable obstacle) {
        obstacles = ArrayUtil.add(obstacles, obstacle);
    }

    /** From now on it does not. Nothing happens if it is not installed. */
    public synchronized void remove(Runnable obstacle) {
        obstacles = ArrayUtil.remove(obstacles, obstacle);
    }

    /** The handler, with this checkpoint at the beginning of each call. */
    public FragmentHandler before(FragmentHandler handler) {
        return (buffer, offset, length, header) -> {
            pass();
            handler.onFragment(buffer, offset, length, header);
        };
    }

    /** The handler, with this checkpoint at the beginning of each call. */
    public ControlledFragmentHandler beforeControlled(ControlledFragmentHandler handler) {
        return (buffer, offset, length, header) -> {
            pass();
            return handler.onFragment(buffer, offset, length, header);
        };
    }
}
