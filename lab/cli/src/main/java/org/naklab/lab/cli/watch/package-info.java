/** The command that watches a process of any kind. */
@NullMarked
package org.naklab.lab.cli.watch;

import org.jspecify.annotations.NullMarked;
