/** The kernel's own trace, kept in a ring for each CPU and stopped by an incident. */
@NullMarked
package org.naklab.lab.instruments.trace;

import org.jspecify.annotations.NullMarked;
