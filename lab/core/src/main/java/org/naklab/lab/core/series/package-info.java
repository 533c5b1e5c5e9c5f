/** The names of series of samples. */
@NullMarked
package org.naklab.lab.core.series;

import org.jspecify.annotations.NullMarked;
