/** What a scenario is: its plan, deployment, workload, conditions and verdict. */
@NullMarked
package org.naklab.lab.scenarios;

import org.jspecify.annotations.NullMarked;
