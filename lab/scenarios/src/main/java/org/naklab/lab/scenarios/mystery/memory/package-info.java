/** The remedies that keep the pages of a bind in memory, and change nothing else. */
@NullMarked
package org.naklab.lab.scenarios.mystery.memory;

import org.jspecify.annotations.NullMarked;
