/** Reads what the processes of a run hold at its beginning and at its end: memory, descriptors, threads, child processes. */
@NullMarked
package org.naklab.lab.scenarios.inspection;

import org.jspecify.annotations.NullMarked;
