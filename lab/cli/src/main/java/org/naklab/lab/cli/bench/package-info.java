/** The commands that run benchmarks. */
@NullMarked
package org.naklab.lab.cli.bench;

import org.jspecify.annotations.NullMarked;
