/** Captures of the datagrams of a feed, as they come to an interface. */
@NullMarked
package org.naklab.lab.instruments.capture;

import org.jspecify.annotations.NullMarked;
