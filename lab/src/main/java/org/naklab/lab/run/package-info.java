/** One run of a scenario: processes up, flow, processes down, counters, verdict, run directory. */
@NullMarked
package org.naklab.lab.run;

import org.jspecify.annotations.NullMarked;
