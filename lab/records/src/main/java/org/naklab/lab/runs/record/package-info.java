/** Defines what a run's files hold, as records that both write and read them. */
@NullMarked
package org.naklab.lab.runs.record;

import org.jspecify.annotations.NullMarked;
