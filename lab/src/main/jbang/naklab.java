///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+
//REPOS mavenlocal,central
//DEPS org.naklab:naklab-lab-cli:0.1.0-SNAPSHOT
//FILES jvm.options=../dist/jvm.options
//JAVA_OPTIONS -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED
//JAVA_OPTIONS -XX:+UseSerialGC -XX:-UsePerfData -XX:TieredStopAtLevel=1
//JAVA_OPTIONS --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=java.base/java.lang=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=java.base/java.lang.reflect=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=java.base/java.io=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=java.base/java.nio=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=java.base/java.util=ALL-UNNAMED
//JAVA_OPTIONS --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED
//JAVA_OPTIONS --add-exports=java.base/sun.nio.ch=ALL-UNNAMED
//JAVA_OPTIONS --add-exports=java.base/jdk.internal.util=ALL-UNNAMED
//JAVA_OPTIONS --add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED
//JAVA_OPTIONS --add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED
//JAVA_OPTIONS --add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED
//JAVA_OPTIONS -Djdk.lang.processReaperUseDefaultStackSize=true
//JAVA_OPTIONS -Dchronicle.announcer.disable=true
//JAVA_OPTIONS -Dchronicle.analytics.disable=true
//JAVA_OPTIONS -Dchronicle.disk.monitor.disable=true
//JAVA_OPTIONS -Dorg.slf4j.simpleLogger.defaultLogLevel=warn
//JAVA_OPTIONS -Dorg.slf4j.simpleLogger.log.org.flywaydb=off
//JAVA_OPTIONS -Dorg.slf4j.simpleLogger.log.org.sqlite=off

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Runs {@code naklab} with JBang, as the launcher does: jbang naklab@DIRECTORY, where DIRECTORY is a checkout whose artefacts are installed. The flags of
 * the JVM above are those of {@code lab/src/main/dist/jvm.options}, which the lab's child processes read.
 */
public class naklab {
    public static void main(String[] arguments) throws Exception {
        Path options = Files.createTempFile("naklab-", ".jvm.options");
        options.toFile().deleteOnExit();
        try (InputStream file = naklab.class.getResourceAsStream("/jvm.options")) {
            Files.copy(file, options, StandardCopyOption.REPLACE_EXISTING);
        }
        System.setProperty("naklab.jvmOptions", options.toString());
        System.setProperty("naklab.command", "naklab");
        // There is no directory of an installation: runs are kept in the user's own.
        System.setProperty("naklab.root", options.getParent().toString());
        org.naklab.lab.cli.Naklab.main(arguments);
    }
}
