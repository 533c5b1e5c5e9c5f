/** The records of a run that tell how late its events were. */
@NullMarked
package org.naklab.lab.records.latency;

import org.jspecify.annotations.NullMarked;
