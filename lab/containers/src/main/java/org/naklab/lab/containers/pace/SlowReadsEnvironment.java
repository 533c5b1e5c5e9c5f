package org.naklab.lab.containers.pace;

import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * A site where reads of one container become slow when all processes are up, before traffic flows. A limit from the beginning would
 * hold up the start of its JVM, which reads a thousand times and more where the image's files are not in memory.
 */
public final class SlowReadsEnvironment implements DeploymentEnvironment {
    private final ContainerEnvironment site;
    private final String container;
    private final String device;
    private final long readsPerSecond;

    /**
     * Creates the environment of one run.
     *
     * @param container whose reads become slow
     * @param device path of the disk's device file
     */
    public SlowReadsEnvironment(ContainerEnvironment site, String container, String device, long readsPerSecond) {
        this.site = site;
        this.container = container;
        this.device = device;
        this.readsPerSecond = readsPerSecond;
    }

    @Override
    public void prepare() {
        site.prepare();
    }

    @Override
    public void onSettled() {
        ReadLimit.set(site.containerName("read-limit"), container, device, readsPerSecond);
    }

    @Override
    public void collect() {
        site.collect();
    }

    @Override
    public void close() {
        site.close();
    }
}
