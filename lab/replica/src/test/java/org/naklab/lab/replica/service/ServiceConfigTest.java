package org.naklab.lab.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.SlowCallbackFault;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.customers.ServingConfig;
import org.naklab.lab.replica.transport.ChangedComponents;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

@Timeout(60)
final class ServiceConfigTest {
    private static final TransportConfig TRANSPORT = new TransportConfig(
            "mds",
            TopicChannels.onLoopback(20_000),
            TransportProfile.LBTRM,
            "/dev/shm/lab/mds",
            0,
            0,
            42,
            7,
            20_000_000,
            IdleMode.BACKOFF);
    private static final FaultPlan PLAN = FaultPlan.of(
            42,
            FaultSpec.of("slow-callback", "mds", new SlowCallbackFault.Parameters("OrderBookEvents", 1_000, 0.5, 3)));
    private static final ServingConfig SERVING = new ServingConfig(200, 1 << 18, 1 << 14, 1_000_000, 0);
    private static final MemoryConstraint CONSTRAINT = new MemoryConstraint(1, 2, 3);
    private static final ReferenceTable TABLE = new ReferenceTable("/data/terms", 4_096, 1_000_000, 42);
    private static final ServiceConfig CONFIG = new ServiceConfig(
            TRANSPORT, Role.SERVICE, "/run/journal", "/run/loss", 1_024, RateLimitMode.TRANSPORT, 10_000_000, 50);
    /** No component has the value that it has without a change. */
    private static final ServiceConfig FULL = CONFIG.with(
                    new ServiceTuning(true, true, true, true, PageCachePolicy.POLITE))
            .with(PLAN)
            .with(TABLE)
            .confined(TRANSPORT, CONSTRAINT)
            .inControlGroups(List.of(Path.of("/sys/fs/cgroup/a")))
            .withMemoryAccount()
            .withWarmUpNs(5)
            .serving(SERVING);

    static Stream<Arguments> changes() {
        TransportConfig elsewhere = TRANSPORT.withFeedMtuBytes(9_000);
        return Stream.of(
                change("tuning", config -> config.with(ServiceTuning.NONE.neverYielding())),
                change("controlGroups", config -> config.inControlGroups(List.of(Path.of("/b"), Path.of("/c")))),
                change("warmUpNs", config -> config.withWarmUpNs(77)),
                change("ringSlots", config -> config.withRingSlots(8)),
                change("faultPlan", config -> config.with(PLAN.withSeed(43))),
                change("serving", config -> config.serving(new ServingConfig(1, 2, 3, 4, 5))),
                change("referenceData", config -> config.with(new ReferenceTable("/x", 1, 2, 3))),
                change("constraint", config -> config.confined(TRANSPORT, MemoryConstraint.NONE)),
                change("transport", config -> config.confined(elsewhere, CONSTRAINT), FULL),
                change("memoryAccounted", ServiceConfig::withMemoryAccount, CONFIG));
    }

    private static Arguments change(String component, UnaryOperator<ServiceConfig> change) {
        return change(component, change, CONFIG, FULL);
    }

    private static Arguments change(
            String component, UnaryOperator<ServiceConfig> change, ServiceConfig... configurations) {
        return Arguments.of(component, change, List.of(configurations));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void shouldChangeOneComponentAndKeepTheOthers(
            String component, UnaryOperator<ServiceConfig> change, List<ServiceConfig> configurations) {
        for (ServiceConfig before : configurations) {
            assertThat(ChangedComponents.between(before, change.apply(before))).containsExactly(component);
        }
    }

    @Test
    void shouldMoveItsFilesIntoAContainer() {
        TransportConfig transport = TRANSPORT.inContainer(TRANSPORT.channels(), "/dev/shm/mds", 0);
        ServiceConfig changed = FULL.inContainer(transport, "/run", MemoryConstraint.NONE);

        assertThat(ChangedComponents.between(FULL, changed))
                .containsExactly("constraint", "lossReportFile", "transport");
        assertThat(changed.journalDirectory()).isEqualTo("/run/journal");
        assertThat(changed.lossReportFile()).isEqualTo("/run/loss-report.dat");
        assertThat(changed.transport()).isEqualTo(transport);
    }

    @Test
    void shouldNotGiveAGatewayAJournal() {
        ServiceConfig gateway =
                new ServiceConfig(TRANSPORT, Role.GATEWAY, null, "/run/loss", 1_024, RateLimitMode.NONE, 0, 50);

        assertThat(gateway.inContainer(TRANSPORT, "/run", CONSTRAINT).journalDirectory())
                .isNull();
    }

    @Test
    void shouldComeOverToTheProcessUnchanged() {
        ServiceConfig read = Json.fromLine(Json.line(FULL), ServiceConfig.class);
        assertThat(Json.line(read)).isEqualTo(Json.line(FULL));
        assertThat(read.with(PLAN))
                .as("the parameters of a fault are JSON on both sides")
                .isEqualTo(FULL);
        assertThat(Json.fromLine(Json.line(CONFIG), ServiceConfig.class)).isEqualTo(CONFIG);
    }

    @Test
    void shouldReadADocumentWithoutRemedies() {
        ObjectNode document = Json.tree(CONFIG, ObjectNode.class);
        document.remove(List.of("tuning", "controlGroups"));
        assertThat(Json.value(document, ServiceConfig.class)).isEqualTo(CONFIG);

        document.putObject("tuning").put("preTouch", true);
        assertThat(Json.value(document, ServiceConfig.class).tuning()).isEqualTo(ServiceTuning.NONE.preTouched());
    }

    @Test
    void shouldTakeNoLaterChangeOfTheControlGroups() {
        List<Path> groups = new ArrayList<>(List.of(Path.of("/a")));
        ServiceConfig changed = CONFIG.inControlGroups(groups);
        groups.add(Path.of("/b"));

        assertThat(changed.controlGroups()).containsExactly("/a");
    }

    static Stream<Arguments> tunings() {
        return Stream.of(
                Arguments.of("preTouch", (UnaryOperator<ServiceTuning>) ServiceTuning::preTouched),
                Arguments.of("lockPages", (UnaryOperator<ServiceTuning>) ServiceTuning::withLockedPages),
                Arguments.of("withoutYield", (UnaryOperator<ServiceTuning>) ServiceTuning::neverYielding),
                Arguments.of("ownContext", (UnaryOperator<ServiceTuning>) ServiceTuning::withOwnContext),
                Arguments.of("journalPages", (UnaryOperator<ServiceTuning>)
                        tuning -> tuning.withJournalPages(PageCachePolicy.POLITE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tunings")
    void shouldAddOneRemedy(String component, UnaryOperator<ServiceTuning> remedy) {
        assertThat(ChangedComponents.between(ServiceTuning.NONE, remedy.apply(ServiceTuning.NONE)))
                .containsExactly(component);
        ServiceTuning all = new ServiceTuning(true, true, true, true, PageCachePolicy.POLITE);
        assertThat(remedy.apply(all)).isEqualTo(all);
    }

    @Test
    void shouldLeaveForThePageCacheWhatIsFreeAndWhatItHas() {
        assertThat(new ContainerMemory(1_000, 700, 250).roomBytes()).isEqualTo(550);
        assertThat(new ContainerMemory(1_000, 1_000, 0).roomBytes()).isZero();
    }
}
