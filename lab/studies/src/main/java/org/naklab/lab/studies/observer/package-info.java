/** Benchmarks the replica and measures the overhead of the instruments. */
@NullMarked
package org.naklab.lab.studies.observer;

import org.jspecify.annotations.NullMarked;
