/** Reads what the kernel and the processors count while a run of an arm goes on. */
@NullMarked
package org.naklab.lab.tools.tune.machine;

import org.jspecify.annotations.NullMarked;
