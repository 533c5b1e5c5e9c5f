/** Safepoints of a JVM: by its log, and by operation. */
@NullMarked
package org.naklab.lab.instruments.jvm.safepoint;

import org.jspecify.annotations.NullMarked;
