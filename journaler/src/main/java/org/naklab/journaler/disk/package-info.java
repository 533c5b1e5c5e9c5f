/** Keeps a journal's files on disk: allocates blocks before they are written, unmaps those that the writer has left, forces files and directories. */
@NullMarked
package org.naklab.journaler.disk;

import org.jspecify.annotations.NullMarked;
