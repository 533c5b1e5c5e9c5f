/** Benchmarks detection: latency of the sampler, and comparison with angler. */
@NullMarked
package org.naklab.lab.studies.detection;

import org.jspecify.annotations.NullMarked;
