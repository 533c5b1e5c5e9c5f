package org.naklab.lab.studies.command;

import java.util.List;
import org.naklab.lab.terminal.FurtherCommands;

/** The commands that measure and judge the lab itself. */
public final class StudyCommands implements FurtherCommands {
    @Override
    public List<Added> all() {
        return List.of(
                new Added("bench", BenchPipelineCommand.class),
                new Added("bench", BenchObserverCommand.class),
                new Added("bench", BenchRepairCommand.class),
                new Added("bench", BenchWatchCommand.class),
                new Added("", SimulateCommand.class),
                new Added("confusion", ForeignCommand.class));
    }
}
