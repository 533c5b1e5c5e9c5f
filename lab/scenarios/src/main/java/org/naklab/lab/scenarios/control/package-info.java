/** The way from a command to a run that is under way: a socket in the private directory of the run, and what is said on it. */
@NullMarked
package org.naklab.lab.scenarios.control;

import org.jspecify.annotations.NullMarked;
