/** Runs the replica in containers: engine, image, composition. */
@NullMarked
package org.naklab.lab.containers;

import org.jspecify.annotations.NullMarked;
