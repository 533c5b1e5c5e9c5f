/** Commands that judge cases and keep them. */
@NullMarked
package org.naklab.lab.cli.evidence;

import org.jspecify.annotations.NullMarked;
