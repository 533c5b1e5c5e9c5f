/** Reads how the libraries of a process or a file are bound: relocation, procedure linkage tables, and the pages that a bind reads. */
@NullMarked
package org.naklab.lab.instruments.linking;

import org.jspecify.annotations.NullMarked;
