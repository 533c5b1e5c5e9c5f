/** Reports who else ran on the CPU of a receiving thread. */
@NullMarked
package org.naklab.lab.instruments.kernel.cores;

import org.jspecify.annotations.NullMarked;
