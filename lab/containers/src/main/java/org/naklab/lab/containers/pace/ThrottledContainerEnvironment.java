package org.naklab.lab.containers.pace;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.ReadAhead;
import org.naklab.lab.containers.faults.DiskLimit;
import org.naklab.lab.containers.faults.LateDiskLimit;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * A site where the kernel reads ahead as far as it does by default, and where reads of one container become slow while traffic flows.
 * With slow reads from the beginning, a container whose page cache is under pressure would wait for pages that it uses all the time,
 * and fall behind before anything is looked at.
 */
public final class ThrottledContainerEnvironment implements DeploymentEnvironment {
    private final ContainerEnvironment site;
    private final String container;
    private final String device;
    private final DiskLimit limit;
    private final long afterNs;
    private @Nullable ReadAhead readAhead;
    private @Nullable CompletableFuture<Docker.Result> asked;

    /** @param afterNs the limit comes so long after the flow has begun */
    public ThrottledContainerEnvironment(
            ContainerEnvironment site, String container, String device, DiskLimit limit, long afterNs) {
        this.site = site;
        this.container = container;
        this.device = device;
        this.limit = limit;
        this.afterNs = afterNs;
    }

    @Override
    public void prepare() {
        readAhead = ReadAhead.lowered(device);
        site.prepare();
    }

    @Override
    public void onFlowStarted() {
        asked = LateDiskLimit.ask(site.containerName("read-limit"), container, device, limit, afterNs);
    }

    /** Fails also when the limit could not be set; a run that was broken off before it came has none. */
    @Override
    public void collect() {
        site.collect();
        CompletableFuture<Docker.Result> answered = asked;
        if (answered != null && answered.isDone() && !answered.join().succeeded()) {
            throw new LabException("the reads of " + container + " were not throttled: "
                    + answered.join().lastLine());
        }
    }

    @Override
    public void close() {
        try {
            site.close();
        } finally {
            if (readAhead != null) {
                readAhead.close();
            }
        }
    }
}
