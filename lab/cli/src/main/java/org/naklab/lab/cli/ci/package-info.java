/** Writes what continuous integration reads of a run: JUnit XML and annotations. */
@NullMarked
package org.naklab.lab.cli.ci;

import org.jspecify.annotations.NullMarked;
