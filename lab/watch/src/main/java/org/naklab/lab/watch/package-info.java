/** Diagnoses what the instruments observed of one process, and writes it as the records of a run. */
@NullMarked
package org.naklab.lab.watch;

import org.jspecify.annotations.NullMarked;
