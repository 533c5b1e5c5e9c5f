/** The source of order events, and the reading of source files. */
@NullMarked
package org.naklab.exchange.flow;

import org.jspecify.annotations.NullMarked;
