/** Looks at the settings of a machine that can be tuned, and names the command that measures each of them. */
package org.naklab.lab.cli.doctor.tuning;
