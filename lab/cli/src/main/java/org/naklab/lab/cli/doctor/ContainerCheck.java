package org.naklab.lab.cli.doctor;

import java.util.List;

/** Finds something out about the engine with containers of its own, which takes seconds. */
interface ContainerCheck {
    /** The name of its finding. */
    String name();

    /**
     * Tries it.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be tried
     */
    List<CheckResult> examine(DoctorSandbox bench);
}
