/**
 * What goes wrong in one running container, and in no other: each fault is armed when it is made, proves by the kernel's or the
 * engine's own figures that it fired, and is undone when it is closed.
 */
@NullMarked
package org.naklab.lab.containers.faults;

import org.jspecify.annotations.NullMarked;
