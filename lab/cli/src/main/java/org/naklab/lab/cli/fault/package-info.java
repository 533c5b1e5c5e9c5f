/** The commands that list faults and inject them. */
@NullMarked
package org.naklab.lab.cli.fault;

import org.jspecify.annotations.NullMarked;
