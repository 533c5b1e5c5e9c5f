/**
 * The instruments: what is read from the kernel, from Aeron and from the JVM while a run goes on, the rules that turn readings
 * into events, and the recorder that keeps the window around a stall. Everything is on one clock, CLOCK_MONOTONIC in
 * nanoseconds, which on Linux is {@link java.lang.System#nanoTime()}.
 *
 * <p>Two threads do the work. The <em>sampler</em> reads at 1 kHz and does not allocate; the <em>background</em> thread looks
 * for new sockets, threads and counters, and writes. An {@link org.naklab.lab.detect.Instrument} has a method for each.
 */
@org.jspecify.annotations.NullMarked
package org.naklab.lab.detect;
