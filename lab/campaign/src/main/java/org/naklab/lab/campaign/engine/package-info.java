/** Engines of jobs: they start the shards of a campaign, and decide nothing about its seeds. */
@NullMarked
package org.naklab.lab.campaign.engine;

import org.jspecify.annotations.NullMarked;
