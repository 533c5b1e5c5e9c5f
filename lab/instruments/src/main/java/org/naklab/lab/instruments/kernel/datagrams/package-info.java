/** Judges the datagrams of a feed by where they came from and when. */
@NullMarked
package org.naklab.lab.instruments.kernel.datagrams;

import org.jspecify.annotations.NullMarked;
