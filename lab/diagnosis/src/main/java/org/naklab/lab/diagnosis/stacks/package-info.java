/** What the functions on a stack tell of a wait. */
@NullMarked
package org.naklab.lab.diagnosis.stacks;

import org.jspecify.annotations.NullMarked;
