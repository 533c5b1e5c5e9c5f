/** Executes one run: starts processes, attaches instruments, injects faults, collects the results. */
@NullMarked
package org.naklab.lab.scenarios.runner;

import org.jspecify.annotations.NullMarked;
