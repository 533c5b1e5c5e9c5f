/** The replica's processes: what starts them, the JSON they are configured by, the lines they speak, and their main classes. */
@NullMarked
package org.naklab.lab.process;

import org.jspecify.annotations.NullMarked;
