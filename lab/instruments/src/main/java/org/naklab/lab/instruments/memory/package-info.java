/** Measures memory: control groups, pressure, and major page faults with their stacks. */
@NullMarked
package org.naklab.lab.instruments.memory;

import org.jspecify.annotations.NullMarked;
