package org.naklab.testing;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Keeps the test classes of one part of the tests, {@code -Dnaklab.shard=2/4}: a class belongs to the same part in every build. With {@code
 * -Dnaklab.matrix.resume=true} it leaves out the tests that passed at the same commit. JUnit finds it as a service.
 */
public final class Shard implements PostDiscoveryFilter {
    private static final Pattern PART = Pattern.compile("([1-9]\\d{0,3})/([1-9]\\d{0,3})");

    private final int part;
    private final int parts;
    private final PassedTests passed;

    /** Reads the system properties. */
    public Shard() {
        this(System.getProperty("naklab.shard", "1/1"), PassedTests.ofTheLastBuild());
    }

    Shard(String value, PassedTests passed) {
        Matcher matcher = PART.matcher(value);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > Integer.parseInt(matcher.group(2))) {
            throw new IllegalArgumentException("expected naklab.shard to be like 2/4, found: " + value);
        }
        part = Integer.parseInt(matcher.group(1));
        parts = Integer.parseInt(matcher.group(2));
        this.passed = passed;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        Optional<String> name = className(test);
        if (name.isPresent() && partOf(name.get()) != part) {
            return FilterResult.excluded("of part " + partOf(name.get()) + " of " + parts);
        }
        return passed.contains(test.getUniqueId().toString())
                ? FilterResult.excluded("passed at this commit")
                : FilterResult.included("to be run");
    }

    private int partOf(String className) {
        CRC32 hash = new CRC32();
        hash.update(className.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % parts) + 1;
    }

    /** Finds the outermost class, so that nested classes stay together. */
    private static Optional<String> className(TestDescriptor test) {
        Optional<String> name = Optional.empty();
        for (Optional<TestDescriptor> at = Optional.of(test);
                at.isPresent();
                at = at.get().getParent()) {
            if (at.get().getSource().orElse(null) instanceof ClassSource source) {
                name = Optional.of(source.getClassName());
            }
        }
        return name;
    }
}
