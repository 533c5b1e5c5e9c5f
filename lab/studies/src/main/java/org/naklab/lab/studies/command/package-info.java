/** The commands that measure and judge the lab itself. */
@NullMarked
package org.naklab.lab.studies.command;

import org.jspecify.annotations.NullMarked;
