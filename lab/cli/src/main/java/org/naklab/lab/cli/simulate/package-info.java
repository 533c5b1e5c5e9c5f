/** The commands that simulate what is larger than one machine. */
@NullMarked
package org.naklab.lab.cli.simulate;

import org.jspecify.annotations.NullMarked;
