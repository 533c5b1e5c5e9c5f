package org.naklab.lab.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out the classes of tests, in whichever directory a build puts its classes. */
final class WithoutTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return !location.contains("/test-classes/");
    }
}
