/** The commands that measure and judge the lab itself. */
@NullMarked
package org.naklab.lab.cli.studies;

import org.jspecify.annotations.NullMarked;
