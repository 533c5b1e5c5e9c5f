/** Safepoints of a JVM by its log. */
@NullMarked
package org.naklab.lab.instruments.jvm.safepoint;

import org.jspecify.annotations.NullMarked;
