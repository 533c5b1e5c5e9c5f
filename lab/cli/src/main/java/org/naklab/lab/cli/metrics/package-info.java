/** The Prometheus metrics of a watch. */
@NullMarked
package org.naklab.lab.cli.metrics;

import org.jspecify.annotations.NullMarked;
