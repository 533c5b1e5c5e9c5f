/**
 * The sampler and the instruments that it runs.
 *
 * <p>The <em>sampler</em> thread reads at up to 1 kHz and does not allocate. The <em>background</em> thread finds new sockets, threads
 * and counters, and writes. An {@link org.naklab.lab.instruments.sampling.Instrument} has one method for each.
 */
@NullMarked
package org.naklab.lab.instruments.sampling;

import org.jspecify.annotations.NullMarked;
