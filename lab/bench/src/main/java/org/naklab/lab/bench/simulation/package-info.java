/** Simulates the repair of losses in groups of receivers that are larger than a machine: discrete events, the same for each seed. */
@NullMarked
package org.naklab.lab.bench.simulation;

import org.jspecify.annotations.NullMarked;
