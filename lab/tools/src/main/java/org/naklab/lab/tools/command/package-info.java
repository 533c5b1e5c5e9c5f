/** The command {@code bench}, and what its subcommands share. */
@NullMarked
package org.naklab.lab.tools.command;

import org.jspecify.annotations.NullMarked;
