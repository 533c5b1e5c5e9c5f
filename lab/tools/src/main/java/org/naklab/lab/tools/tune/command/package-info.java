/** The command {@code tune}. */
package org.naklab.lab.tools.tune.command;
