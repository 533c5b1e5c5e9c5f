/** The names of series of samples, and what is measured on the samples of a socket. */
@NullMarked
package org.naklab.lab.core.series;

import org.jspecify.annotations.NullMarked;
