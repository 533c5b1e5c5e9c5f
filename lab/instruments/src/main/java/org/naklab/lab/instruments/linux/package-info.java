/** Reads the files and calls of the Linux kernel: {@code /proc}, control groups, pressure, priorities, signals. */
@NullMarked
package org.naklab.lab.instruments.linux;

import org.jspecify.annotations.NullMarked;
