/** The latencies of a run, as the report shows them beside the charts over time. */
@NullMarked
package org.naklab.lab.report.latency;

import org.jspecify.annotations.NullMarked;
