/** Relays packets between containers, and loses, delays or duplicates them. */
@NullMarked
package org.naklab.lab.containers.relay;

import org.jspecify.annotations.NullMarked;
