package org.naklab.lab.scenarios.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.PlanRecord;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.SocketBufferCalibration;
import org.naklab.lab.scenarios.Workload;
import org.naklab.messaging.TopicChannels;

/** Makes the record of a plan. */
final class PlanRecords {
    private PlanRecords() {}

    static PlanRecord of(RunPlan plan) {
        return new PlanRecord(
                new PlanRecord.Choice(
                        plan.scenario(), plan.fidelity().label(), plan.remedy().label(), plan.seed()),
                workload(plan.workload()),
                new PlanRecord.Transport(
                        plan.transport().profile().name(),
                        channels(plan.channels()),
                        plan.traffic().rateLimiting().name(),
                        plan.transport().idle().name()),
                sizing(plan.traffic().stall()),
                plan.notes(),
                new PlanRecord.Place(
                        plan.directory().toUri().toString(),
                        plan.placement().aeronPrefix(),
                        composition(plan.placement().composition())),
                new PlanRecord.Additions(
                        plan.added().faults().stream()
                                .map(fault -> Json.tree(fault, JsonNode.class))
                                .toList(),
                        plan.traffic().journalPages() == PageCachePolicy.KEPT
                                ? null
                                : plan.traffic().journalPages().label(),
                        plan.settings().options(),
                        plan.placement().pins(),
                        plan.placement().instruments() == InstrumentLevel.NORMAL
                                ? null
                                : plan.placement().instruments().label(),
                        plan.customers().isNone()
                                ? null
                                : Integer.valueOf(plan.customers().ofGateway())));
    }

    private static PlanRecord.Workload workload(Workload workload) {
        Path source = workload.source();
        return new PlanRecord.Workload(
                source == null ? null : source.toUri().toString(),
                workload.instruments(),
                workload.arrival().name(),
                workload.eventsPerSecond(),
                workload.speed(),
                workload.gentleStartNs(),
                morning(workload.morning()),
                workload.durationNs());
    }

    private static PlanRecord.@Nullable Morning morning(@Nullable Preload morning) {
        return morning == null
                ? null
                : new PlanRecord.Morning(morning.eventsPerSecond(), morning.riseNs(), morning.durationNs());
    }

    private static PlanRecord.Channels channels(TopicChannels channels) {
        return new PlanRecord.Channels(channels.networkInterface(), channels.ttl(), channels.basePort());
    }

    private static PlanRecord.@Nullable Sizing sizing(@Nullable BufferSizing sizing) {
        return sizing == null
                ? null
                : new PlanRecord.Sizing(
                        sizing.stallNs(),
                        sizing.eventsPerSecond(),
                        kernel(sizing.kernel()),
                        sizing.askedBytes(),
                        sizing.stallPayloadBytes(),
                        sizing.stallDatagrams(),
                        sizing.stallBufferBytes(),
                        sizing.expectedGrantedBytes());
    }

    private static PlanRecord.Kernel kernel(SocketBufferCalibration kernel) {
        return new PlanRecord.Kernel(
                kernel.datagramBytes(),
                kernel.calibrationBytes(),
                kernel.capacityDatagrams(),
                kernel.grantedPerAsked(),
                kernel.maxGrantedBytes());
    }

    private static PlanRecord.@Nullable Composition composition(@Nullable ComposeProject project) {
        return project == null ? null : new PlanRecord.Composition(project.project(), project.containers());
    }
}
