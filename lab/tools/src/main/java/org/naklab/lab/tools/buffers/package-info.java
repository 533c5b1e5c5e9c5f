/** Measures how large a receive buffer must be to survive a stall of its reader, and compares it with the arithmetic. */
package org.naklab.lab.tools.buffers;
