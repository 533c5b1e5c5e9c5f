package org.naklab.lab.scenarios.control;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.naklab.faults.FaultProof;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;

/** A line from a run to a command. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
    @JsonSubTypes.Type(ControlReply.Described.class),
    @JsonSubTypes.Type(ControlReply.Accepted.class),
    @JsonSubTypes.Type(ControlReply.Armed.class),
    @JsonSubTypes.Type(ControlReply.Fired.class),
    @JsonSubTypes.Type(ControlReply.Over.class),
    @JsonSubTypes.Type(ControlReply.Removed.class),
    @JsonSubTypes.Type(ControlReply.Refused.class)
})
sealed interface ControlReply {
    /** Tells what the run is. */
    @JsonTypeName("described")
    record Described(RunDescription run) implements ControlReply {}

    /** The fault waits for its time. */
    @JsonTypeName("accepted")
    record Accepted(String id, String process) implements ControlReply {}

    /** The fault may fire from now on. */
    @JsonTypeName("armed")
    record Armed(String id) implements ControlReply {}

    /** The fault has fired for the first time, and is still armed. */
    @JsonTypeName("fired")
    record Fired(String id, String explanation) implements ControlReply {}

    /** The fault is undone. */
    @JsonTypeName("over")
    record Over(FaultProof proof) implements ControlReply {}

    /** These faults are undone, or could not be. */
    @JsonTypeName("removed")
    record Removed(List<RemovedFault> faults) implements ControlReply {
        public Removed {
            faults = List.copyOf(faults);
        }
    }

    /**
     * The run does not do it.
     *
     * @param kind of the exception that says so
     */
    @JsonTypeName("refused")
    record Refused(String reason, LabException.Kind kind) implements ControlReply {
        /** Returns the exception, on the side of the command. */
        LabException exception() {
            return switch (kind) {
                case WRONG_USAGE -> new UsageException(reason);
                case INPUT -> new InputException(reason);
                case UNAVAILABLE -> new UnavailableException(reason);
                case ENVIRONMENT, NO_VERDICT -> new LabException(reason);
            };
        }
    }
}
