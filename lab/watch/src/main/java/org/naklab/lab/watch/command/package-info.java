/** The command that watches a process of any kind. */
@NullMarked
package org.naklab.lab.watch.command;

import org.jspecify.annotations.NullMarked;
