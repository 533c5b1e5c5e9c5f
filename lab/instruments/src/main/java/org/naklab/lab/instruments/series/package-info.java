/** Stores samples: rings that are written without locks, their history, and the files that keep them. */
@NullMarked
package org.naklab.lab.instruments.series;

import org.jspecify.annotations.NullMarked;
