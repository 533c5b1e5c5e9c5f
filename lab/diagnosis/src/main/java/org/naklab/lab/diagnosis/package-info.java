/** Explains a run by its timeline and counters. The package sees no injected fault: it depends on the core alone. */
@NullMarked
package org.naklab.lab.diagnosis;

import org.jspecify.annotations.NullMarked;
