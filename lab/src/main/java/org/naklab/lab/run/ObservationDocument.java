package org.naklab.lab.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.naklab.lab.detect.SamplerStatistics;
import org.naklab.lab.process.Json;
import org.naklab.lab.scenario.Observation;

/** What {@code run.json} says of the instruments. */
final class ObservationDocument {
    private ObservationDocument() {}

    static ObjectNode of(Observation observation) {
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
