/** Serves what an instructor does from a page, and an audience watches: runs that start and stop, faults, and when the cause is told. */
@NullMarked
package org.naklab.lab.report.instructor;

import org.jspecify.annotations.NullMarked;
