package org.naklab.lab.studies.observer;

import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.observation.InstrumentSet;
import org.naklab.lab.replica.observation.ObservedProcess;
import org.naklab.lab.replica.observation.ServiceInstruments;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.terminal.live.LiveView;

/** A process with all instruments of a run on a service, and perhaps the page of it. Prints the address of the page, or that there is none; ends with its standard input. */
final class WatchedPage {
    private WatchedPage() {}

    /**
     * Watches the service.
     *
     * @param args pid and Aeron directory of the service, a directory that exists, and whether there is a page
     */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[2]);
        LiveFeed feed = LiveFeed.ofWatch("the pipeline");
        boolean isServed = Boolean.parseBoolean(args[3]);
        try (LiveView view =
                isServed ? LiveView.launch("127.0.0.1", 0, feed, Throwable::printStackTrace) : LiveView.NONE) {
            IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
            List<SampleConsumer> viewers = view.open();
            try (InstrumentRunner runner = new InstrumentRunner(
                    SystemNanoClock.INSTANCE,
                    event -> viewers.forEach(viewer -> viewer.onEvent(event)),
                    viewers,
                    Throwable::printStackTrace)) {
                InstrumentSet instruments = new InstrumentSet(runner);
                ObservedProcess process =
                        new ObservedProcess("mds", Role.SERVICE, Long.parseLong(args[0]), Path.of(args[1]), false);
                ServiceInstruments unused = ServiceInstruments.attach(instruments, process, recorder, directory);
                ServiceInstruments.attachToMachine(instruments, List.of(process));
                instruments.start();
                System.out.println(view.url().orElse("no page"));
                while (System.in.read() >= 0) {
                    // Until the end.
                }
            }
        }
    }
}
