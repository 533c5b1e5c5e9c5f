/** The search for the commit since which something is so. */
@NullMarked
package org.naklab.lab.campaign.bisect;

import org.jspecify.annotations.NullMarked;
