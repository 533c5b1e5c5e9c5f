/** The commands that read runs which have ended. */
@NullMarked
package org.naklab.lab.cli.history;

import org.jspecify.annotations.NullMarked;
