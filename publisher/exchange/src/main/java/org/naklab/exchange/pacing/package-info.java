/** Says when an event is due: constant rate, recorded times, and a rate limit in the sender's own code. */
@NullMarked
package org.naklab.exchange.pacing;

import org.jspecify.annotations.NullMarked;
