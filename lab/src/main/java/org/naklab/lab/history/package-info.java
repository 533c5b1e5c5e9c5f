/** Every run as a row of a database, and the calendar that they make. Knows runs by the files that they leave. */
@NullMarked
package org.naklab.lab.history;

import org.jspecify.annotations.NullMarked;
