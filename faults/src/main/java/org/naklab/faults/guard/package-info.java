/** Undoing what outlives a process, when the process that did it is killed. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.guard;
