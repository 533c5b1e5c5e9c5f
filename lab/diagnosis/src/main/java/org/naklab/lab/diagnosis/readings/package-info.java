/** Readings of the instruments over time, as a diagnosis needs them. */
@NullMarked
package org.naklab.lab.diagnosis.readings;

import org.jspecify.annotations.NullMarked;
