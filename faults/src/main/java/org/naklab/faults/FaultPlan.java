package org.naklab.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells what goes wrong in a run. The same plan makes the same faults: all that they leave to chance comes from the seed.
 *
 * @param seed of everything random
 * @param faults no two with the same id
 */
public record FaultPlan(long seed, List<FaultSpec> faults) {
    /** More than enough, and an end. */
    public static final int MAX_FAULTS = 256;

    public FaultPlan(long seed, @Nullable List<FaultSpec> faults) {
        this.seed = seed;
        this.faults = faults == null ? List.of() : List.copyOf(faults);
        Limits.within("faults in a plan", this.faults.size(), 0, MAX_FAULTS);
        Set<String> ids = new HashSet<>();
        for (FaultSpec spec : this.faults) {
            if (!ids.add(spec.id())) {
                throw new FaultException("two faults of the plan have the id " + spec.id());
            }
        }
    }

    public static FaultPlan of(long seed, FaultSpec... faults) {
        return new FaultPlan(seed, List.of(faults));
    }

    /**
     * Reads what {@link #toJson()} writes.
     *
     * @throws FaultException if it is not a plan; says where
     */
    public static FaultPlan fromJson(String json) {
        JsonNode tree = Json.parse(json, JsonNode.class, "fault plan");
        if (!tree.isObject()) {
            throw new FaultException("fault plan: it is no JSON object");
        }
        Fields.check(tree, FaultPlan.class, "the plan", "field");
        return Json.fromTree(tree, FaultPlan.class, "fault plan");
    }

    public String toJson() {
        return Json.write(this);
    }

    public FaultPlan withSeed(long newSeed) {
        return new FaultPlan(newSeed, faults);
    }

    /** The seed of one fault in one process: independent of what else the plan holds, and of the order. */
    static long seedOf(long planSeed, String id, String process) {
        long mixed = planSeed;
        for (String part : List.of(id, process)) {
            mixed = (mixed ^ part.hashCode()) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 32;
        }
        return mixed;
    }
}
