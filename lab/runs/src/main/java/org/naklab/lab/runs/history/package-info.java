/** The history of runs in a database, and the calendar of them. */
@NullMarked
package org.naklab.lab.runs.history;

import org.jspecify.annotations.NullMarked;
