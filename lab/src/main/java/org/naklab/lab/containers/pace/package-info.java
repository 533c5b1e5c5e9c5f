/** Slow reads of one container: finds the limit under which a late bind takes as long as wanted, and sets it when all is up. */
@NullMarked
package org.naklab.lab.containers.pace;

import org.jspecify.annotations.NullMarked;
