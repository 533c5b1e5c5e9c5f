/** The command {@code tune}. */
package org.naklab.lab.cli.tune;
