/** {@code naklab workshop}. */
@NullMarked
package org.naklab.lab.cli.workshop;

import org.jspecify.annotations.NullMarked;
