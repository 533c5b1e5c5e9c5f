/** Measures what the threads of a benchmark use: processor time and allocation. */
@NullMarked
package org.naklab.lab.tools.threads;

import org.jspecify.annotations.NullMarked;
