package org.naklab.lab.terminal;

import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "naklab " + current(),
            "JDK " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch")
        };
    }

    /** Returns the version from the manifest of the jar; a class path of directories has none. */
    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
