/** Finds what kept a thread that was late for microseconds: in the JVM's log and in the kernel's record. */
@NullMarked
package org.naklab.lab.tools.jitter.reason;

import org.jspecify.annotations.NullMarked;
