/** Keeps a journal's files on disk: allocates blocks before they are written, forces files and directories. */
@NullMarked
package org.naklab.journaler.disk;

import org.jspecify.annotations.NullMarked;
