/** Order flow from NASDAQ ITCH 5.0 files. */
@NullMarked
package org.naklab.exchange.itch;

import org.jspecify.annotations.NullMarked;
