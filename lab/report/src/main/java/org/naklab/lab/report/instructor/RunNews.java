package org.naklab.lab.report.instructor;

import org.naklab.lab.report.live.News;

/** Tells viewers of the state of the run, each what they may know. */
record RunNews(LabActs acts, Role role) implements News {
    @Override
    public long changes() {
        return acts.changes();
    }

    @Override
    public Object now() {
        return role.sees(acts.state());
    }
}
