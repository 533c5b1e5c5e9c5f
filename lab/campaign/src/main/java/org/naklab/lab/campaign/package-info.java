/** Campaigns: many seeds of some scenarios, divided into shards that any engine of jobs can run, recorded in the history. */
@NullMarked
package org.naklab.lab.campaign;

import org.jspecify.annotations.NullMarked;
