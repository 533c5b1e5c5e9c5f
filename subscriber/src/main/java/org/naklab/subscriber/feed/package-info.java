/** Checks of the received feed: its order and its identity. */
@NullMarked
package org.naklab.subscriber.feed;

import org.jspecify.annotations.NullMarked;
