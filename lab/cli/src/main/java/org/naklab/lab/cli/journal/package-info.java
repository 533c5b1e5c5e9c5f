/** The commands that read journals. */
@NullMarked
package org.naklab.lab.cli.journal;

import org.jspecify.annotations.NullMarked;
