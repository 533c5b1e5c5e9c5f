package org.naklab.lab.process;

/** One environment within another. */
record NestedEnvironment(DeploymentEnvironment outer, DeploymentEnvironment inner) implements DeploymentEnvironment {
    @Override
    public void prepare() {
        outer.prepare();
        inner.prepare();
    }

    @Override
    public void onSettled() {
        outer.onSettled();
        inner.onSettled();
    }

    @Override
    public void onFlowStarted() {
        outer.onFlowStarted();
        inner.onFlowStarted();
    }

    @Override
    public void collect() {
        inner.collect();
        outer.collect();
    }

    @Override
    public void close() {
        try {
            inner.close();
        } finally {
            outer.close();
        }
    }
}
