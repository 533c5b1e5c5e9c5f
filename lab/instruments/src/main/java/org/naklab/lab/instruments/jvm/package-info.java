/** Reads safepoints, collections and waits of a JVM from JDK Flight Recorder. */
@NullMarked
package org.naklab.lab.instruments.jvm;

import org.jspecify.annotations.NullMarked;
