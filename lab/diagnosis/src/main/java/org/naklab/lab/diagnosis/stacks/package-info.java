/** Reads from the functions on a stack what a thread waited for. */
@NullMarked
package org.naklab.lab.diagnosis.stacks;

import org.jspecify.annotations.NullMarked;
