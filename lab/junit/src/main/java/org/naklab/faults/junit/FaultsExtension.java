package org.naklab.faults.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultPlan;

/**
 * Injects faults into a JUnit 5 test. {@link Faults} registers it and declares the plan; the test takes {@link TestFaults} as a
 * parameter of its method, of {@code @BeforeEach} or of {@code @AfterEach}. After each test all faults are disarmed.
 *
 * <p>If the test failed, seed, proofs and the property that replays it are printed and published as a report entry. A test that
 * passed although a fault did not fire fails with the reason, see {@link Faults#mustFire()}. A JVM without the flags that Aeron needs is
 * refused before the first test, with the flags that it lacks.
 */
public final class FaultsExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                ParameterResolver,
                AfterTestExecutionCallback,
                AfterEachCallback {
    /** The key of the report entry. */
    public static final String REPORT_KEY = "naklab-faults";

    private static final Namespace NAMESPACE = Namespace.create(FaultsExtension.class);
    private static final FaultPlan NO_PLAN = new FaultPlan(0, List.of());

    /** Creates the extension; JUnit calls this. */
    public FaultsExtension() {}

    /** Before the methods of the class, which may launch a media driver. */
    @Override
    public void beforeAll(ExtensionContext context) {
        JvmFlags.check();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        JvmFlags.check();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestFaults.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return store(context)
                .getOrComputeIfAbsent(
                        TestFaults.class, type -> new TestFaults(declaredPlan(context)), TestFaults.class);
    }

    /** Before the test's own clean-up, which may close what the faults act upon. */
    @Override
    public void afterTestExecution(ExtensionContext context) {
        disarm(context);
    }

    /** Also if the test was not executed. */
    @Override
    public void afterEach(ExtensionContext context) {
        Optional<TestFaults> faults = disarm(context);
        if (context.getExecutionException().isPresent()) {
            faults.ifPresent(each -> publish(context, each.report(nameOf(context))));
            return;
        }
        List<String> unfired = faults.map(TestFaults::unfired).orElseGet(() -> notTaken(context));
        if (!unfired.isEmpty()) {
            String report = nameOf(context) + " passed, but has shown nothing: " + String.join("; ", unfired);
            if (declaration(context).map(Faults::mustFire).orElse(true)) {
                throw new FaultException(report);
            }
            publish(context, report);
        }
    }

    private static List<String> notTaken(ExtensionContext context) {
        List<String> unfired = new ArrayList<>();
        declaredPlan(context)
                .faults()
                .forEach(spec -> unfired.add(
                        spec.id() + ": neither the test nor a @BeforeEach method takes TestFaults as a parameter"));
        return unfired;
    }

    private static void publish(ExtensionContext context, String report) {
        System.err.println(report);
        context.publishReportEntry(REPORT_KEY, report);
    }

    private static String nameOf(ExtensionContext context) {
        return context.getRequiredTestClass().getName()
                + '#'
                + context.getRequiredTestMethod().getName();
    }

    private static Optional<TestFaults> disarm(ExtensionContext context) {
        Optional<TestFaults> faults = Optional.ofNullable(store(context).get(TestFaults.class, TestFaults.class));
        faults.ifPresent(TestFaults::close);
        return faults;
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    private static FaultPlan declaredPlan(ExtensionContext context) {
        return ReplaySeed.apply(declaration(context)
                .map(faults -> FaultPlan.fromJson(faults.value()))
                .orElse(NO_PLAN));
    }

    /** The contexts go from the method by its class and the classes around it to the engine. */
    private static Optional<Faults> declaration(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), Faults.class)
                .or(() -> context.getParent().flatMap(FaultsExtension::declaration));
    }
}
