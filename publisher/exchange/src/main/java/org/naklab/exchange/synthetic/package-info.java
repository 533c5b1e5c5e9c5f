/** Order flow generated from a seed. */
@NullMarked
package org.naklab.exchange.synthetic;

import org.jspecify.annotations.NullMarked;
