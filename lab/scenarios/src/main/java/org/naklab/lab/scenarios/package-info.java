/** Scenarios: plan, deployment, workload, conditions and verdict. */
@NullMarked
package org.naklab.lab.scenarios;

import org.jspecify.annotations.NullMarked;
