/** Faults that act on containers. Each kind is one file. */
@NullMarked
package org.naklab.lab.containers.faults;

import org.jspecify.annotations.NullMarked;
