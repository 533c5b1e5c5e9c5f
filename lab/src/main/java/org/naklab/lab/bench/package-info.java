/** Measurements of the replica, each against what it stands on and within one process, so that only ratios matter. */
@org.jspecify.annotations.NullMarked
package org.naklab.lab.bench;
