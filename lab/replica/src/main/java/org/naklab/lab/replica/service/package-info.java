/** The process of the market data service. */
@NullMarked
package org.naklab.lab.replica.service;

import org.jspecify.annotations.NullMarked;
