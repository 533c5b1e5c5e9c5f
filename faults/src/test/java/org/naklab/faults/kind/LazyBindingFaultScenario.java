package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultCommands;
import org.naklab.faults.FaultProof;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.binding.NativeSupport;
import org.naklab.faults.process.LiveChild;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** The lazy-binding fault in a child JVM, commanded through its standard input. */
@Matrix
@Timeout(120)
class LazyBindingFaultScenario {
    private static final long DELAY_MS = 100;
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(DELAY_MS);
    private static final String AUDITED = fault(DELAY_MS);
    private static final String UNAUDITED = fault(0);

    @TempDir
    Path directory;

    private AuditPage page;
    private Map<String, String> audited;

    private static String fault(long delayMs) {
        return "add {\"id\":\"bind\",\"kind\":\"lazy-binding\",\"on\":\"mds\","
                + "\"parameters\":{\"yielder\":\"mds-context\",\"delayMs\":" + delayMs + "}}";
    }

    @BeforeEach
    void unpack() {
        page = AuditPage.create(directory.resolve("page"));
        NativeSupport.assume();
        NativeLibraries.unpackTo(directory);
        Path library = NativeLibraries.in(directory).auditLibrary();
        audited = new HashMap<>(new AuditedLaunch(library, page.path()).environment());
    }

    @AfterEach
    void close() {
        page.close();
    }

    private static LiveChild armed(Map<String, String> environment, String fault) {
        LiveChild child = new LiveChild(CommandedProcess.class, environment);
        assertThat(child.ask("start")).isEqualTo("{\"ok\":true}");
        assertThat(child.ask(fault)).isEqualTo("{\"ok\":true,\"result\":true}");
        Await.until("armed", () -> child.ask("armed bind").equals("true"));
        return child;
    }

    private static long yieldNs(LiveChild child) {
        return Long.parseLong(child.ask("yield"));
    }

    private static FaultProof proof(LiveChild child) {
        FaultProof proof = FaultCommands.proofsIn(child.ask("proofs")).get("bind");
        assertThat(proof).isNotNull();
        return proof;
    }

    @Test
    void shouldHoldTheFirstYieldUp() {
        try (LiveChild child = armed(audited, AUDITED)) {
            assertThat(proof(child).explanation()).isEqualTo("the thread never yielded");

            assertThat(yieldNs(child)).isGreaterThanOrEqualTo(DELAY_NS);

            FaultProof proof = proof(child);
            assertThat(proof.fired()).isTrue();
            assertThat(proof.figure("bindNs")).isGreaterThanOrEqualTo(DELAY_NS);
            assertThat(proof.firings()).singleElement().satisfies(firing -> assertThat(firing.what())
                    .isEqualTo("bind of sched_yield"));
        }
    }

    @Test
    void shouldNotFireWhenTheAuditLibraryIsNotLoaded() {
        audited.remove("LD_AUDIT");
        try (LiveChild child = armed(audited, AUDITED)) {
            yieldNs(child);

            assertThat(proof(child).fired()).isFalse();
            assertThat(proof(child).explanation()).startsWith("the audit library is not loaded");
        }
    }

    @Test
    void shouldNotFireWithBindNow() {
        page.delayNs(DELAY_NS);
        audited.putAll(AuditedLaunch.bindNow());
        try (LiveChild child = armed(audited, AUDITED)) {
            yieldNs(child);

            FaultProof proof = proof(child);
            assertThat(proof.fired()).isFalse();
            assertThat(proof.figures()).containsEntry("boundWhenArmed", 1L);
            assertThat(proof.figure("bindNs")).isGreaterThanOrEqualTo(DELAY_NS);
            assertThat(proof.figure("firstYieldNs")).isLessThan(DELAY_NS);
        }
    }

    @Test
    void shouldNotBindWhenDisarmed() {
        try (LiveChild child = armed(audited, AUDITED)) {
            assertThat(child.ask("disarm bind")).contains("\"ok\":true");
            yieldNs(child);

            assertThat(proof(child).fired()).isFalse();
            assertThat(page.binds()).noneMatch(bind -> bind.symbol().equals(AuditedLaunch.SYMBOL));
            assertThat(page.delayNs()).isZero();
        }
    }

    @Test
    void shouldProveALateBindWithoutAnAudit() {
        try (LiveChild child = armed(Map.of(), UNAUDITED)) {
            yieldNs(child);

            FaultProof proof = proof(child);
            assertThat(proof.fired()).isTrue();
            assertThat(proof.figures()).containsKeys("firstYieldNs", "firstYieldMajorFaults");
        }
    }

    @Test
    void shouldSayThatAnAuditNeedsAPage() {
        try (LiveChild child = new LiveChild(CommandedProcess.class, Map.of())) {
            assertThat(child.ask(AUDITED)).contains("\"ok\":false").contains("NAKLAB_AUDIT_PAGE is not set");
        }
    }
}
