/** Campaigns as Indexed Jobs of Kubernetes. Loaded only by commands that name this engine. */
@NullMarked
package org.naklab.lab.kubernetes;

import org.jspecify.annotations.NullMarked;
