/** Limits the read rate of a container's disk, and calibrates the limit. */
@NullMarked
package org.naklab.lab.containers.pace;

import org.jspecify.annotations.NullMarked;
