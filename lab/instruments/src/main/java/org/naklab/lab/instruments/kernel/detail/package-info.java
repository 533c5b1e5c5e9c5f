/** Records short times of all threads: the most that the lab can observe. */
@NullMarked
package org.naklab.lab.instruments.kernel.detail;

import org.jspecify.annotations.NullMarked;
