/** Measures multicast between containers before a run depends on it. */
@NullMarked
package org.naklab.lab.containers.probe;

import org.jspecify.annotations.NullMarked;
