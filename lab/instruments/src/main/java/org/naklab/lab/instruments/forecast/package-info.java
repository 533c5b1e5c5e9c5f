/** Forecasts how long a thread will wait for pages of symbol tables when it first calls a function that is bound late, before it calls. */
@NullMarked
package org.naklab.lab.instruments.forecast;

import org.jspecify.annotations.NullMarked;
