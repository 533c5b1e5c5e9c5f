/** Shows what the kernel's trace has of the stall that matters, in a report. */
@NullMarked
package org.naklab.lab.report.trace;

import org.jspecify.annotations.NullMarked;
