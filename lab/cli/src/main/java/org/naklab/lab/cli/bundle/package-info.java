/** Bundles: one redacted file of what a run or a watch left, to attach to a ticket. */
@NullMarked
package org.naklab.lab.cli.bundle;

import org.jspecify.annotations.NullMarked;
