package org.naklab.faults.junit;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.naklab.faults.FaultPlan;

/**
 * Brings faults into a JUnit 5 test: declared with {@link Faults}, or put together in the test, which takes {@link TestFaults}
 * as a parameter (of the test, of {@code @BeforeEach} or {@code @AfterEach} alike). After each test everything is disarmed. If it
 * failed, seed, proofs and the way to replay it are printed and published as a report entry.
 */
public final class FaultsExtension implements ParameterResolver, AfterTestExecutionCallback, AfterEachCallback {
    /** The report entry's key. */
    public static final String REPORT_KEY = "naklab-faults";

    private static final Namespace NAMESPACE = Namespace.create(FaultsExtension.class);
    private static final FaultPlan NO_PLAN = new FaultPlan(0, List.of());

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

    /** Also where the test did not come to be executed. */
    @Override
    public void afterEach(ExtensionContext context) {
        disarm(context)
                .filter(faults -> context.getExecutionException().isPresent())
                .ifPresent(faults -> {
                    String report = faults.report(context.getRequiredTestClass().getName()
                            + '#'
                            + context.getRequiredTestMethod().getName());
                    System.err.println(report);
                    context.publishReportEntry(REPORT_KEY, report);
                });
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
        return ReplaySeed.apply(declaration(context.getTestMethod())
                .or(() -> declaration(context.getTestClass()))
                .map(faults -> FaultPlan.fromJson(faults.value()))
                .orElse(NO_PLAN));
    }

    private static Optional<Faults> declaration(Optional<? extends AnnotatedElement> element) {
        return element.map(each -> each.getAnnotation(Faults.class));
    }
}
