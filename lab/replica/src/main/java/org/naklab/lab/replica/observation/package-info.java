/** Attaches the instruments to the processes of the replica, from outside. */
@NullMarked
package org.naklab.lab.replica.observation;

import org.jspecify.annotations.NullMarked;
