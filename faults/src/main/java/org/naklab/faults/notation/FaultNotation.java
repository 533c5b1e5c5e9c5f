package org.naklab.faults.notation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.description.DescribedKind;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.Spelling;

/**
 * Reads one fault as the command line writes it: {@code KIND[:name=value,…][@WHEN]}, for instance
 * {@code slow-callback:delay=150ms,on=mds@+3s}. Beside the kind's own parameters there are {@code on} (the target), {@code for} (how
 * long it stays armed) and {@code id}. A duration or a size needs a unit, unless the name is that of the plan and ends with it.
 */
public final class FaultNotation {
    private static final String ON = "on";
    private static final String FOR = "for";
    private static final String ID = "id";

    private final DescribedKind kind;
    private final ObjectNode parameters = JsonNodeFactory.instance.objectNode();
    private @Nullable String id;
    private @Nullable String on;
    private @Nullable Long forMs;

    private FaultNotation(DescribedKind kind) {
        this.kind = kind;
    }

    /**
     * Returns the name of the kind that a text begins with.
     *
     * @param text such as {@code stall:stall=150ms@+3s}
     */
    public static String kindOf(String text) {
        return text.split("[:@]", 2)[0];
    }

    /**
     * Reads a fault of a kind. What is left out has the kind's value for the processes of a run.
     *
     * @param usualId the id of a fault that is given none
     * @param events that a fault can wait for
     * @throws FaultException naming what is wrong, and what may have been meant
     */
    public static FaultSpec parse(String text, DescribedKind kind, String usualId, Set<String> events) {
        return parse(text, kind, usualId, events, FaultSpec.DEFAULT_FOR_MS);
    }

    /**
     * Does the same.
     *
     * @param usualForMs how long a fault stays armed for which that is not said, ms
     */
    public static FaultSpec parse(
            String text, DescribedKind kind, String usualId, Set<String> events, long usualForMs) {
        try {
            return read(text, kind, usualId, events, usualForMs);
        } catch (FaultException e) {
            String problem = String.valueOf(e.getMessage());
            throw problem.startsWith(kind.name()) ? e : new FaultException(kind.name() + ": " + problem, e);
        }
    }

    private static FaultSpec read(
            String text, DescribedKind kind, String usualId, Set<String> events, long usualForMs) {
        Timing timing = new Timing(events);
        String rest = text.substring(kind.name().length());
        List<String> times = new ArrayList<>();
        for (int at = rest.lastIndexOf('@');
                at >= 0 && rest.substring(at).matches("@[^=,/]*");
                at = rest.lastIndexOf('@')) {
            times.add(0, rest.substring(at + 1));
            rest = rest.substring(0, at);
        }
        times.forEach(timing::add);
        FaultNotation notation = new FaultNotation(kind);
        if (!rest.isEmpty()) {
            for (String assignment : rest.substring(1).split(",", -1)) {
                notation.take(assignment);
            }
        }
        notation.fillIn();
        String target = notation.on == null ? kind.description().on() : notation.on;
        String itsId = notation.id == null ? usualId : notation.id;
        Long given = notation.forMs;
        long itsForMs = given == null ? usualForMs : Limits.within(FOR, given, 1, FaultSpec.MAX_FOR_MS);
        FaultSpec spec = new FaultSpec(itsId, kind.name(), target, timing.when(), itsForMs, notation.parameters);
        spec.parametersAs(kind.parameterType());
        return spec;
    }

    private void take(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals <= 0) {
            throw new FaultException("'" + assignment + "' is not name=value");
        }
        String name = assignment.substring(0, equals);
        String value = assignment.substring(equals + 1);
        switch (name) {
            case ON -> on = value;
            case ID -> id = value;
            case FOR -> forMs = Values.milliseconds(FOR, value);
            default -> put(parameter(name), name, value);
        }
    }

    private FaultParameter parameter(String name) {
        FaultDescription description = kind.description();
        return description.parameter(name).orElseThrow(() -> {
            List<String> known = new ArrayList<>(description.words());
            known.addAll(List.of(ON, FOR, ID));
            return new FaultException(kind.name() + " has no parameter '" + name + "'" + Spelling.hint(name, known));
        });
    }

    private void put(FaultParameter parameter, String name, String value) {
        String[] path = parameter.name().split("\\.", -1);
        ObjectNode parent = parameters;
        for (int i = 0; i < path.length - 1; i++) {
            parent = parent.withObject("/" + path[i]);
        }
        String last = path[path.length - 1];
        if (parent.has(last)) {
            throw new FaultException("'" + name + "' is given twice");
        }
        parent.set(last, Values.of(parameter, name, value));
    }

    private void fillIn() {
        for (FaultParameter parameter : kind.description().parameters()) {
            String usual = parameter.inReplica();
            if (parameters.at("/" + parameter.name().replace('.', '/')).isMissingNode()) {
                if (usual != null) {
                    put(parameter, parameter.word(), usual);
                } else if (parameter.isRequired()) {
                    throw new FaultException(kind.name() + " needs " + parameter.word() + ", such as in "
                            + kind.description().example());
                }
            }
        }
    }
}
