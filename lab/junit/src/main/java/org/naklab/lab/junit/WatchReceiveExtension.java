package org.naklab.lab.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.platform.commons.support.AnnotationSupport;
import org.naklab.faults.junit.JvmFlags;
import org.naklab.files.FileTrees;
import org.naklab.lab.watch.SelfWatch;
import org.naklab.lab.watch.SelfWatchPart;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.lab.watch.WatchSummary;

/** Watches the receivers of this JVM during a test; {@link WatchReceive} registers it. */
public final class WatchReceiveExtension
        implements BeforeTestExecutionCallback, AfterTestExecutionCallback, AfterEachCallback {
    /** The configuration parameter of JUnit, and the system property, that names the directory of the evidence. */
    public static final String DIRECTORY = "naklab.watch.directory";

    /** The key of the report entry with the directory of the evidence. */
    public static final String REPORT_KEY = "naklab-watch";

    private static final Namespace NAMESPACE = Namespace.create(WatchReceiveExtension.class);
    private static final String DEFAULT_DIRECTORY = "target/naklab-watch";

    /** A test under watch. */
    private record Watched(SelfWatchPart part, Path directory) {}

    /** The watch of all tests. JUnit before 5.13 closes only what is of the one type, later ones close what is of the other. */
    @SuppressWarnings("deprecation")
    private record Shared(SelfWatch watch) implements Store.CloseableResource, AutoCloseable {
        @Override
        public void close() {
            watch.close();
        }
    }

    /** Creates the extension; JUnit calls this. */
    public WatchReceiveExtension() {}

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        JvmFlags.check();
        toleranceOf(context);
        Path directory = directoryOf(context);
        delete(directory);
        store(context).put(Watched.class, new Watched(watchOf(context).begin(nameOf(context), directory), directory));
    }

    /** While the sockets are still open. */
    @Override
    public void afterTestExecution(ExtensionContext context) {
        Watched watched = store(context).remove(Watched.class, Watched.class);
        if (watched == null) {
            return;
        }
        WatchFindings findings = watched.part().end();
        ReceiveTolerance tolerance = toleranceOf(context);
        String failures = Arrays.stream(failOn(context))
                .distinct()
                .map(failure -> failure.in(findings, tolerance))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        if (failures.isEmpty()) {
            delete(watched.directory());
            return;
        }
        Path evidence = watched.directory().toAbsolutePath();
        context.publishReportEntry(REPORT_KEY, evidence.toString());
        throw new AssertionError(message(nameOf(context) + ": " + failures, WatchSummary.lines(findings), evidence));
    }

    /** If the test ended between the two callbacks. */
    @Override
    public void afterEach(ExtensionContext context) {
        Watched watched = store(context).remove(Watched.class, Watched.class);
        if (watched != null) {
            watched.part().close();
        }
    }

    private static String message(String head, List<String> summary, Path evidence) {
        return head
                + summary.stream().map(line -> "\n  " + line).collect(Collectors.joining())
                + "\n  evidence: " + evidence + "; naklab report " + evidence + " makes the report of it";
    }

    /** The contexts go from the method by its class and the classes around it to the engine. */
    private static Optional<WatchReceive> declaration(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), WatchReceive.class)
                .or(() -> context.getParent().flatMap(WatchReceiveExtension::declaration));
    }

    private static ReceiveFailure[] failOn(ExtensionContext context) {
        return declaration(context).map(WatchReceive::failOn).orElseGet(ReceiveFailure::values);
    }

    private static ReceiveTolerance toleranceOf(ExtensionContext context) {
        return declaration(context).map(ReceiveTolerance::of).orElse(ReceiveTolerance.DEFAULT);
    }

    /** The tests of the JVM share one: to attach the instruments takes seconds. JUnit closes it at the end of all tests. */
    private static SelfWatch watchOf(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        Shared.class, type -> new Shared(SelfWatch.start(parentOf(context))), Shared.class)
                .watch();
    }

    private static Path parentOf(ExtensionContext context) {
        return Path.of(context.getConfigurationParameter(DIRECTORY).orElse(DEFAULT_DIRECTORY));
    }

    private static Path directoryOf(ExtensionContext context) {
        String test = context.getRequiredTestMethod().getName();
        // Repeated and parameterized tests have one directory for each invocation.
        String invocation = context.getUniqueId().replaceAll(".*\\[test-template-invocation:#(\\d+)\\].*", "-$1");
        return parentOf(context)
                .resolve(context.getRequiredTestClass().getName())
                .resolve(test + (invocation.startsWith("-") ? invocation : ""));
    }

    private static void delete(Path directory) {
        try {
            FileTrees.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
    }

    private static String nameOf(ExtensionContext context) {
        return context.getRequiredTestClass().getName()
                + '#'
                + context.getRequiredTestMethod().getName();
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
