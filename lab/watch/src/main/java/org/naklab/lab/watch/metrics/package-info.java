/** The Prometheus metrics of a watch. */
@NullMarked
package org.naklab.lab.watch.metrics;

import org.jspecify.annotations.NullMarked;
