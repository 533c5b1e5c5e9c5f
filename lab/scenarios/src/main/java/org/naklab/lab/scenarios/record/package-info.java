/** The directory that each run leaves, and what is written to it. */
@NullMarked
package org.naklab.lab.scenarios.record;

import org.jspecify.annotations.NullMarked;
