/** The sealed cases as a benchmark for programs and people that diagnose receive stalls. */
@NullMarked
package org.naklab.lab.workshop.benchmark;

import org.jspecify.annotations.NullMarked;
