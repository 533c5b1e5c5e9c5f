/** Sums of the safepoints of a JVM by operation. */
@NullMarked
package org.naklab.lab.core.safepoint;

import org.jspecify.annotations.NullMarked;
