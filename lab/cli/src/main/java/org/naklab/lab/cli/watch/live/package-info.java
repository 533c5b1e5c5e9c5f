/** The live table of a watch in a terminal, with the events below it as sentences. */
@NullMarked
package org.naklab.lab.cli.watch.live;

import org.jspecify.annotations.NullMarked;
