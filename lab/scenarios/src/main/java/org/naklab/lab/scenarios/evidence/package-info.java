/** Writes the evidence of a run so that a full disk is reported and does not end the run. */
@NullMarked
package org.naklab.lab.scenarios.evidence;

import org.jspecify.annotations.NullMarked;
