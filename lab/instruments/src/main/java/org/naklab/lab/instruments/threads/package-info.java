/** Measures threads: duty cycles, lateness of timers, scheduler statistics, and the threads that receive. */
@NullMarked
package org.naklab.lab.instruments.threads;

import org.jspecify.annotations.NullMarked;
