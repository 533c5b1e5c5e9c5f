/** The disks of the machine, and how fast the processes of a control group may read from them. */
@NullMarked
package org.naklab.lab.instruments.disk;

import org.jspecify.annotations.NullMarked;
