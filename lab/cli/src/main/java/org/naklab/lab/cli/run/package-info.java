/** The commands that execute runs. */
@NullMarked
package org.naklab.lab.cli.run;

import org.jspecify.annotations.NullMarked;
