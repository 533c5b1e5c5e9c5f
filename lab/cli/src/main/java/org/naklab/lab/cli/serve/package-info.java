/** The runs of an instructor: those of {@code naklab run}, started from a page. */
@NullMarked
package org.naklab.lab.cli.serve;

import org.jspecify.annotations.NullMarked;
