/** The course: units on sealed recorded evidence, its price, and the grading of answers. */
@NullMarked
package org.naklab.lab.workshop;

import org.jspecify.annotations.NullMarked;
