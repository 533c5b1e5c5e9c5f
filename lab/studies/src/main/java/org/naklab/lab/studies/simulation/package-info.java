/** Simulates the repair of losses in groups of receivers that are larger than a machine: discrete events, the same for each seed. */
@NullMarked
package org.naklab.lab.studies.simulation;

import org.jspecify.annotations.NullMarked;
