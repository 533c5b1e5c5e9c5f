/** The records of a run that tell how late its events were. */
@NullMarked
package org.naklab.lab.runs.record.latency;

import org.jspecify.annotations.NullMarked;
