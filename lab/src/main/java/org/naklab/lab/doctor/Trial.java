package org.naklab.lab.doctor;

import java.util.List;

/** Finds something out about the engine with containers of its own, which takes seconds. */
interface Trial {
    /** The name of its finding. */
    String name();

    /**
     * Tries it.
     *
     * @throws org.naklab.lab.LabException when it cannot be tried
     */
    List<Finding> examine(Workbench bench);
}
