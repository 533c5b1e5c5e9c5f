package org.naklab.lab.instruments.watch;

import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/** Is what another instrument is; a test overrides what it wants to be different. */
class ForwardingInstrument implements Instrument {
    final Instrument real;

    ForwardingInstrument(Instrument real) {
        this.real = real;
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public String title() {
        return real.title();
    }

    @Override
    public String describe() {
        return real.describe();
    }

    @Override
    public long periodNs() {
        return real.periodNs();
    }

    @Override
    public boolean isIdle() {
        return real.isIdle();
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        real.sample(nowNs, sink);
    }

    @Override
    public long reachedNs(long nowNs) {
        return real.reachedNs(nowNs);
    }

    @Override
    public void refresh(long nowNs) {
        real.refresh(nowNs);
    }

    @Override
    public boolean isRefreshDue() {
        return real.isRefreshDue();
    }

    @Override
    public void close() {
        real.close();
    }
}
