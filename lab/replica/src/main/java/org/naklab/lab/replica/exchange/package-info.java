/** The process of the mock exchange. */
@NullMarked
package org.naklab.lab.replica.exchange;

import org.jspecify.annotations.NullMarked;
