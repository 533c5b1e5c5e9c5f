/** The live table of a watch in a terminal, with the events below it as sentences. */
@NullMarked
package org.naklab.lab.watch.command.live;

import org.jspecify.annotations.NullMarked;
