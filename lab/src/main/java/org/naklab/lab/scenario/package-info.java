/** Scenarios as data: workload, deployment, prediction. One class a scenario; the finder lists this package. */
@NullMarked
package org.naklab.lab.scenario;

import org.jspecify.annotations.NullMarked;
