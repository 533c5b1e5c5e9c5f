/** Records from the kernel why threads stood still: absences from the processor, page faults, dropped datagrams, process life. */
@NullMarked
package org.naklab.lab.instruments.kernel;

import org.jspecify.annotations.NullMarked;
