/** Defines what a run's files hold, as records that both write and read them. */
@NullMarked
package org.naklab.lab.records;

import org.jspecify.annotations.NullMarked;
