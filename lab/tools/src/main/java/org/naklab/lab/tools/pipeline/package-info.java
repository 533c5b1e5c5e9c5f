/** Benchmarks the replica and its two primitives, and the order books. */
@NullMarked
package org.naklab.lab.tools.pipeline;

import org.jspecify.annotations.NullMarked;
