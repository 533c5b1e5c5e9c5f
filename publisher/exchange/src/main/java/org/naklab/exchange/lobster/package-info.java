/** Order flow and reference order books from LOBSTER files. */
@NullMarked
package org.naklab.exchange.lobster;

import org.jspecify.annotations.NullMarked;
