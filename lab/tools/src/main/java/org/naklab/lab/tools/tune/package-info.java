/** Compares settings of one program: arms that differ in one thing, measured in turns until the answer is known. */
package org.naklab.lab.tools.tune;
