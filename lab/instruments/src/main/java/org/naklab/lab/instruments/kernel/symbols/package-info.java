/** Finds what an address of a process stands for: file, section and function. */
@NullMarked
package org.naklab.lab.instruments.kernel.symbols;

import org.jspecify.annotations.NullMarked;
