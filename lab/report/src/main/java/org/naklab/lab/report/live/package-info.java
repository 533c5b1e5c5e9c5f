/** The live page: strips of samples over a WebSocket, and a recorded run as a film. */
@NullMarked
package org.naklab.lab.report.live;

import org.jspecify.annotations.NullMarked;
