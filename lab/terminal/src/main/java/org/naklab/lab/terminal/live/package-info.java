/** The page that shows a watch or a run while it goes on. */
@NullMarked
package org.naklab.lab.terminal.live;

import org.jspecify.annotations.NullMarked;
