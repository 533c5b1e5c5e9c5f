/**
 * The timeline of a run: its events, and the file that keeps them.
 * All times are nanoseconds of CLOCK_MONOTONIC, which on Linux is {@link System#nanoTime()}.
 */
@NullMarked
package org.naklab.lab.core.timeline;

import org.jspecify.annotations.NullMarked;
