package org.naklab.lab.bench;

/** The pipeline in its own process, with all instruments on it: its own and those of this process. */
final class ObservedPipeline implements Contestant {
    private final PipelineChild child;
    private final BenchDirectory directory;
    private final ObserverCost cost = new ObserverCost();
    private int warmUps;

    /** @param warmUps first runs whose cost does not count */
    ObservedPipeline(PipelineChild child, BenchDirectory directory, int warmUps) {
        this.child = child;
        this.directory = directory;
        this.warmUps = warmUps;
    }

    ObserverCost cost() {
        return cost;
    }

    @Override
    public double perSecond() throws Exception {
        boolean counts = --warmUps < 0;
        child.tell(PipelineProcess.WATCHED);
        PipelineWatch watch = new PipelineWatch(child.pid(), child.answer(), directory.made());
        try (watch) {
            ProcessorTime time = new ProcessorTime();
            long tenths = watch.samplerShares().count();
            child.tell(PipelineProcess.GO);
            child.answer();
            if (counts) {
                cost.add(time);
                cost.addSampler(watch.samplerShares().since(tenths));
            }
        }
        if (counts) {
            cost.add(watch.costs());
        }
        child.tell(PipelineProcess.GO);
        return Double.parseDouble(child.answer());
    }

    /** The same pipeline with nobody looking. */
    static double alonePerSecond(PipelineChild child) throws Exception {
        child.tell(PipelineProcess.ALONE);
        child.answer();
        child.tell(PipelineProcess.GO);
        child.answer();
        child.tell(PipelineProcess.GO);
        return Double.parseDouble(child.answer());
    }
}
