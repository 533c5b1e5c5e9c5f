/** The dashboard: the calendar of runs and their reports, over HTTP, from the directory in which runs leave them. */
@NullMarked
package org.naklab.lab.serve;

import org.jspecify.annotations.NullMarked;
