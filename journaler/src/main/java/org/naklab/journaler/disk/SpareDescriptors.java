package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds open-file descriptors in reserve. A process that has reached its limit ({@code RLIMIT_NOFILE}) can open nothing, and the writer of a journal has to open
 * several files to roll: it lends itself what it needs and takes it back. One thread only; allocates nothing.
 *
 * <p>Another thread may open something while descriptors are lent, so that not all of them can be taken back: the JVM itself reads files of its control group all the
 * time. Hence {@link #isComplete} before each use.
 */
public final class SpareDescriptors implements AutoCloseable {
    /** What the pages behind the writer need: the file. */
    public static final int PAGES = 1;

    /** What a new file needs: its blocks, Chronicle's mapping of it, and the list of the directory. */
    public static final int ROLL = 8;

    /** Kept whatever is lent for a roll, and the one that is duplicated. */
    private static final int KEPT = 1 + 4 * PAGES;

    private static final Logger LOGGER = LoggerFactory.getLogger(SpareDescriptors.class);

    /** The first one is duplicated and never lent. */
    private final int[] descriptors = new int[KEPT + ROLL];

    private int held;
    private int lent;

    /** Takes the reserve, as far as the limit lets it. */
    public SpareDescriptors() {
        if (Libc.whyMissing() != null) {
            return;
        }
        try {
            descriptors[0] = Libc.open(Path.of("/dev/null"));
            held = 1;
        } catch (IOException e) {
            LOGGER.warn("the journal has no descriptors in reserve: {}", e.getMessage());
        }
        fill();
    }

    /** Lets go of some, so that the next files can be opened. */
    public void lend(int count) {
        lent += count;
        release(Math.max(count == PAGES ? 1 : KEPT, held - count));
    }

    /** Takes back what was lent, as far as the limit lets it. */
    public void takeBack(int count) {
        lent -= count;
        fill();
    }

    /** Tries to get what is missing, and returns whether nothing is. Always true on a system without these calls. */
    public boolean isComplete() {
        fill();
        return held == 0 ? Libc.whyMissing() != null : held + lent == descriptors.length;
    }

    private void fill() {
        while (held > 0 && held + lent < descriptors.length) {
            int descriptor = Libc.dup(descriptors[0]);
            if (descriptor < 0) {
                return;
            }
            descriptors[held++] = descriptor;
        }
    }

    private void release(int remaining) {
        while (held > remaining) {
            Libc.close(descriptors[--held]);
        }
    }

    /** Lets go of all. Does nothing a second time. */
    @Override
    public void close() {
        release(0);
    }
}
