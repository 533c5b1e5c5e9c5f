/** Recorded stalls in the formats of other people's tools. */
@NullMarked
package org.naklab.lab.report.export;

import org.jspecify.annotations.NullMarked;
