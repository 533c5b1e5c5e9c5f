/** {@code naklab heisenberg}: whether observing changes what is observed. */
@NullMarked
package org.naklab.lab.cli.heisenberg;

import org.jspecify.annotations.NullMarked;
