/** The mock exchange: reads an order flow, paces it and publishes it as the feed. */
@NullMarked
package org.naklab.exchange;

import org.jspecify.annotations.NullMarked;
