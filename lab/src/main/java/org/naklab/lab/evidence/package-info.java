/** Keeps what a run leaves behind, and says what of it could not be kept. */
@NullMarked
package org.naklab.lab.evidence;

import org.jspecify.annotations.NullMarked;
