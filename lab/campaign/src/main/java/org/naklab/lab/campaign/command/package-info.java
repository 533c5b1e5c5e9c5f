/** {@code naklab campaign}: many seeds, in shards, on an engine of jobs. */
@NullMarked
package org.naklab.lab.campaign.command;

import org.jspecify.annotations.NullMarked;
