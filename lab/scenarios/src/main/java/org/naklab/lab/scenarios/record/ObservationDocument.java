package org.naklab.lab.scenarios.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.scenarios.InstrumentCoverage;

/** What {@code run.json} says of the instruments. */
final class ObservationDocument {
    private ObservationDocument() {}

    static ObjectNode of(InstrumentCoverage observation) {
        ObjectNode document = Json.object();
        observation.reading().forEach(document.putArray("reading")::add);
        observation.blind().forEach(document.putArray("blind")::add);
        SamplerStatistics sampler = observation.sampler();
        document.putObject("sampler")
                .put("ticks", sampler.ticks())
                .put("missedTicks", sampler.missedTicks())
                .put("maxLatenessNs", sampler.maxLatenessNs())
                .put("shareOfACore", sampler.cpuShare())
                .put("lostSamples", observation.lostSamples());
        return document;
    }
}
