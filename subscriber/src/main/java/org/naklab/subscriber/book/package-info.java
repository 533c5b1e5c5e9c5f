/** Order books built from a feed of order events; no thread, no transport, no clock. */
@NullMarked
package org.naklab.subscriber.book;

import org.jspecify.annotations.NullMarked;
