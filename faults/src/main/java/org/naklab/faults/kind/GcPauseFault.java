package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.ProofLog;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** GC pause: a full collection of a heap that has a given amount of small live objects in it. */
@AutoService(FaultKind.class)
public final class GcPauseFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param liveMib small live objects for the collector to walk; 16 if left out, at most 4,096 and half of the heap
     * @param collections one after the other; 1 if left out, at most 100
     */
    public record Parameters(int liveMib, int collections) {
        public Parameters {
            liveMib = liveMib == 0 ? 16 : Limits.within("liveMib", liveMib, 1, 4_096);
            collections = collections == 0 ? 1 : Limits.within("collections", collections, 1, 100);
        }
    }

    @Override
    public String name() {
        return "gc-pause";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("A full collection with many small live objects on the heap")
                .with(
                        FaultParameter.size("liveMib", 1, 4_096, "small live objects, at most half of the heap")
                                .orElse("16"),
                        FaultParameter.count("collections", 1, 100, "one after the other")
                                .orElse("1"))
                .proof("the collectors of the JVM counted it")
                .example("gc-pause:live=64MiB");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        long liveBytes = (long) parameters.liveMib() << 20;
        if (liveBytes > Runtime.getRuntime().maxMemory() / 2) {
            throw new FaultException("liveMib must be at most half of the heap: " + parameters.liveMib());
        }
        return new GcPause(parameters);
    }

    private static final class GcPause implements Fault {
        /** An array of one reference, and the reference to it. */
        private static final int NODE_BYTES = 28;

        private final Parameters parameters;
        private final ProofLog log = new ProofLog();

        GcPause(Parameters parameters) {
            this.parameters = parameters;
        }

        @Override
        public void arm() {
            List<Object[]> live = liveObjects();
            for (int i = 0; i < parameters.collections(); i++) {
                long count = collections();
                long millis = collectionMs();
                long beginNs = System.nanoTime();
                System.gc();
                long endNs = System.nanoTime();
                if (collections() > count) {
                    log.fired(beginNs, endNs, "full collection");
                    log.add("pausedNs", TimeUnit.MILLISECONDS.toNanos(collectionMs() - millis));
                }
            }
            log.set("liveNodes", live.size());
        }

        /** A list of small objects, each of which the collector has to mark and move. */
        private List<Object[]> liveObjects() {
            int nodes = (int) (((long) parameters.liveMib() << 20) / NODE_BYTES);
            List<Object[]> live = new ArrayList<>(nodes);
            for (int i = 0; i < nodes; i++) {
                live.add(new Object[1]);
            }
            return live;
        }

        private static long collections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }

        private static long collectionMs() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                    .sum();
        }

        @Override
        public void disarm() {
            // The objects are garbage as soon as arming is over.
        }

        @Override
        public FaultProof proof() {
            return log.proof(
                    "the collectors counted a collection",
                    "the collectors counted none: is -XX:+DisableExplicitGC set?");
        }
    }
}
