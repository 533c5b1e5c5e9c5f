/** Prepares what is known of a JVM for the templates. */
@NullMarked
package org.naklab.lab.report.jvm;

import org.jspecify.annotations.NullMarked;
