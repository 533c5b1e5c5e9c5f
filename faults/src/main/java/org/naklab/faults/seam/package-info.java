/** Holds the places at which a process lets faults in. A seam that no fault uses passes everything through and changes nothing. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.seam;
