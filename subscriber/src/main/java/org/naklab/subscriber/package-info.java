/** The market data service: from the feed to order books, journal and snapshots. */
@NullMarked
package org.naklab.subscriber;

import org.jspecify.annotations.NullMarked;
