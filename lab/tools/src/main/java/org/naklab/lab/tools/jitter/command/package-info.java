/** {@code naklab jitter}: the latency between two threads, and what kept them. */
@NullMarked
package org.naklab.lab.tools.jitter.command;

import org.jspecify.annotations.NullMarked;
