/** Counts how fast events pass the stages of a run while it goes on. */
@NullMarked
package org.naklab.lab.core.pace;

import org.jspecify.annotations.NullMarked;
