/** Measures the latency between two threads, and finds for each late message what kept the thread that was late. */
@NullMarked
package org.naklab.lab.tools.jitter;

import org.jspecify.annotations.NullMarked;
