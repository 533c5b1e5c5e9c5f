/** Runs all instruments over one process, and keeps the window around a stall. */
@NullMarked
package org.naklab.lab.instruments.watch;

import org.jspecify.annotations.NullMarked;
