/** {@code naklab workshop}. */
@NullMarked
package org.naklab.lab.workshop.command;

import org.jspecify.annotations.NullMarked;
