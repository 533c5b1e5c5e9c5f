/** Hunts: runs of one scenario, one after the other, until something rare has happened. */
@NullMarked
package org.naklab.lab.cli.hunt;

import org.jspecify.annotations.NullMarked;
