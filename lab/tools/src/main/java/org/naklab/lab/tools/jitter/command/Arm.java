package org.naklab.lab.tools.jitter.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of several settings of the JVM that are compared.
 *
 * @param name for people
 * @param flags of the JVM beside those that all processes of the lab have
 * @param reference name of the arm that this one is compared with; its own name: it is a reference; empty: the first arm
 */
record Arm(String name, List<String> flags, String reference) {
    static final Arm DEFAULT = new Arm("default", List.of());

    /** The interval of periodic safepoints in ms, as JDKs have spelt it for twenty years. */
    private static final String INTERVAL = "gsi";

    Arm {
        flags = List.copyOf(flags);
    }

    /** Creates an arm that is compared with the first one. */
    Arm(String name, List<String> flags) {
        this(name, flags, "");
    }

    /**
     * Starts a JDK with these flags and nothing else: the lab's own list of flags makes a JVM ignore those that it does not know, and the arm would then
     * be the default.
     *
     * @throws UsageException if it does not take them
     */
    void requireKnownTo(Jdk jdk) {
        List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
        command.addAll(flags);
        command.add("-version");
        try {
            Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
            String answer = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (java.waitFor() != 0) {
                throw new UsageException("JDK " + jdk.feature() + " does not take the flags of arm " + name + ": "
                        + answer.lines().findFirst().orElse(""));
            }
        } catch (IOException e) {
            throw new UsageException("cannot start " + jdk.java() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while a JVM was started", e);
        }
    }

    /** Converts {@code default}, {@code gsi=300000} and {@code NAME=FLAGS}. */
    static final class Converter implements ITypeConverter<Arm> {
        private static final Pattern NAMED = Pattern.compile("([\\w.-]+)=(.+)");

        @Override
        public Arm convert(String text) {
            if (text.equals(DEFAULT.name)) {
                return DEFAULT;
            }
            Matcher named = NAMED.matcher(text);
            if (!named.matches()) {
                throw new TypeConversionException("'" + text + "' is not default, gsi=MS or NAME=FLAGS");
            }
            String value = named.group(2);
            if (named.group(1).equals(INTERVAL) && value.matches("\\d{1,9}")) {
                return new Arm(
                        text, List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=" + value));
            }
            List<String> flags = Arrays.stream(value.strip().split("\\s+", -1)).toList();
            if (!flags.stream().allMatch(flag -> flag.startsWith("-"))) {
                throw new TypeConversionException("'" + value + "' of arm " + named.group(1)
                        + " is not flags of a JVM, such as -XX:+AlwaysPreTouch");
            }
            return new Arm(named.group(1), flags);
        }
    }
}
