/** The scenario of the original incident, in four fidelities and with its remedies. */
@NullMarked
package org.naklab.lab.scenarios.mystery;

import org.jspecify.annotations.NullMarked;
