package org.naklab.faults.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.faults.process.ChildJvm;
import org.naklab.testing.Matrix;

/** The first yield of a child JVM, with its bind watched, delayed, moved to load time, or left alone. */
@Matrix
@Timeout(180)
class LazyBindingScenario {
    private static final int ATTEMPTS = 5;
    private static final double TOLERANCE = 0.05;

    @TempDir
    Path directory;

    private NativeLibraries libraries;

    @BeforeEach
    void unpack() {
        NativeSupport.assume();
        NativeLibraries.unpackTo(directory);
        libraries = NativeLibraries.in(directory);
    }

    @Test
    void shouldBindAtTheFirstYieldOnly() {
        ChildJvm.Outcome outcome = probe(Map.of());

        assertThat(outcome.output()).containsSubsequence("bound=false", "bound=true");
        assertThat(outcome.errors()).isEmpty();
    }

    @Test
    void shouldBindAtLoadWithBindNow() {
        ChildJvm.Outcome outcome = probe(AuditedLaunch.bindNow());

        assertThat(outcome.output()).containsSubsequence("bound=true", "bound=true");
    }

    /**
     * The delay is the time of the first yield but for that in which the kernel had no processor for the thread. It has to come
     * near enough from both sides; a few attempts, because a hypervisor takes time that nobody accounts for.
     */
    @ParameterizedTest
    @ValueSource(longs = {50, 150, 300})
    void shouldDelayTheFirstYield(long delayMs) {
        long delayNs = TimeUnit.MILLISECONDS.toNanos(delayMs);
        List<String> attempts = new ArrayList<>();
        boolean met = false;
        for (int attempt = 0; attempt < ATTEMPTS && !met; attempt++) {
            try (AuditPage page = AuditPage.create(directory.resolve("page-" + attempt))) {
                page.delayNs(delayNs);
                ChildJvm.Outcome outcome = probe(audited(page));
                assertThat(outcome.errors()).isEmpty();
                assertOneDelayedBind(page, outcome, delayNs);
                long firstNs = figure(outcome, "firstNs");
                long waitedNs = figure(outcome, "firstWaitedNs");
                assertThat(firstNs).isGreaterThanOrEqualTo(delayNs);
                attempts.add(firstNs + " ns, " + waitedNs + " of them without a processor");
                met = Math.abs(firstNs - waitedNs - delayNs) <= delayNs * TOLERANCE;
            }
        }
        assertThat(met)
                .as("delay of %s ns met within 5 %%: %s", delayNs, attempts)
                .isTrue();
    }

    private static void assertOneDelayedBind(AuditPage page, ChildJvm.Outcome outcome, long delayNs) {
        List<SymbolBind> delayed =
                page.binds().stream().filter(SymbolBind::delayed).toList();
        assertThat(page.loads()).isPositive();
        assertThat(delayed).singleElement().satisfies(bind -> {
            assertThat(bind.symbol()).isEqualTo(AuditedLaunch.SYMBOL);
            assertThat(bind.durationNs()).isGreaterThanOrEqualTo(delayNs);
            assertThat(bind.beginNs()).isGreaterThanOrEqualTo(figure(outcome, "beginNs"));
        });
        assertThat(page.binds()).extracting(SymbolBind::symbol).contains("getrusage", "clock_gettime");
    }

    @Test
    void shouldMoveTheDelayToLoadTimeWithBindNow() {
        long delayNs = TimeUnit.MILLISECONDS.toNanos(150);
        try (AuditPage page = AuditPage.create(directory.resolve("page"))) {
            page.delayNs(delayNs);
            Map<String, String> environment = new HashMap<>(audited(page));
            environment.putAll(AuditedLaunch.bindNow());

            ChildJvm.Outcome outcome = probe(environment);

            assertThat(page.binds())
                    .filteredOn(SymbolBind::delayed)
                    .singleElement()
                    .satisfies(bind -> assertThat(bind.endNs()).isLessThan(figure(outcome, "beginNs")));
        }
    }

    @Test
    void shouldReportButNotDelayWhenDisarmed() {
        try (AuditPage page = AuditPage.create(directory.resolve("page"))) {
            probe(audited(page));

            assertThat(page.binds())
                    .extracting(SymbolBind::symbol, SymbolBind::delayed)
                    .contains(tuple(AuditedLaunch.SYMBOL, false));
        }
    }

    @Test
    void shouldSeeThatTheAuditLibraryIsNotLoaded() {
        try (AuditPage page = AuditPage.create(directory.resolve("page"))) {
            page.delayNs(1);
            Map<String, String> environment = new HashMap<>(audited(page));
            environment.remove("LD_AUDIT");

            probe(environment);

            assertThat(page.loads()).isZero();
            assertThat(page.binds()).isEmpty();
        }
    }

    @Test
    void shouldNameThePageThatIsMissing() {
        ChildJvm.Outcome outcome =
                probe(new AuditedLaunch(libraries.auditLibrary(), directory.resolve("nowhere")).environment());

        assertThat(outcome.errors()).contains("naklab audit: cannot open").contains("nowhere");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldEvictAndPreTouch() {
        assertThat(figure(probe(Map.of(), "evict"), "advisedBytes")).isPositive();
        ChildJvm.Outcome locked = probe(Map.of(), "pre-touch");
        assertThat(figure(locked, "lockedBytes")).isPositive();
        assertThat(figure(locked, "kernelLockedKb")).isEqualTo(figure(locked, "lockedBytes") / 1024);
    }

    private Map<String, String> audited(AuditPage page) {
        return new AuditedLaunch(libraries.auditLibrary(), page.path()).environment();
    }

    private ChildJvm.Outcome probe(Map<String, String> environment, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = directory.toString();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        ChildJvm.Outcome outcome = ChildJvm.run(directory, YieldProbe.class, environment, all);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome;
    }

    private static long figure(ChildJvm.Outcome outcome, String name) {
        Matcher matcher =
                Pattern.compile("^" + name + "=(\\d+)$", Pattern.MULTILINE).matcher(outcome.output());
        assertThat(matcher.find()).as(outcome.output()).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
