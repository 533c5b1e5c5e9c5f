/** The files derived from the journal: surveillance records and CSV, in segments that roll. */
@NullMarked
package org.naklab.journaler.derived;

import org.jspecify.annotations.NullMarked;
