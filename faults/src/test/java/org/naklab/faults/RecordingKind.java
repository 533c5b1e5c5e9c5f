package org.naklab.faults;

import java.util.ArrayList;
import java.util.List;

/** A kind whose faults write down what happens to them. */
final class RecordingKind implements FaultKind {
    final List<String> calls = new ArrayList<>();
    final List<Long> seeds = new ArrayList<>();
    /** Ids of faults that cannot be undone. */
    final List<String> lasting = new ArrayList<>();

    public record Parameters(String refusal) {}

    @Override
    public String name() {
        return "recording";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        String refusal = spec.parametersAs(Parameters.class).refusal();
        seeds.add(seed);
        return new Fault() {
            private final ProofLog log = new ProofLog();

            @Override
            public void arm() {
                calls.add("arm " + spec.id());
                if (refusal != null) {
                    throw new FaultException(refusal);
                }
                log.fired(1, 2, spec.id());
            }

            @Override
            public void disarm() {
                calls.add("disarm " + spec.id());
                if (lasting.contains(spec.id())) {
                    throw new FaultException("it does not end");
                }
            }

            @Override
            public FaultProof proof() {
                return log.proof("armed", "not armed");
            }
        };
    }
}
