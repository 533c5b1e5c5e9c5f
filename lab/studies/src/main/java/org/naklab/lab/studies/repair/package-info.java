/** Measures how fast the transport repairs losses, by its profiles, and compares that with the simulation. */
@NullMarked
package org.naklab.lab.studies.repair;

import org.jspecify.annotations.NullMarked;
