/** Measures what the threads of a benchmark use: processor time and allocation. */
@NullMarked
package org.naklab.lab.bench.threads;

import org.jspecify.annotations.NullMarked;
