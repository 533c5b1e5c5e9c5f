/** The kernel's trace of what ran on each CPU: the lines of its text, and what they say about one CPU. */
@NullMarked
package org.naklab.lab.core.trace;

import org.jspecify.annotations.NullMarked;
