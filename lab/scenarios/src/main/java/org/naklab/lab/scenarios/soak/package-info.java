/** The soak: a long run under random faults from a seed, and the invariants that must hold at its end. */
@NullMarked
package org.naklab.lab.scenarios.soak;

import org.jspecify.annotations.NullMarked;
