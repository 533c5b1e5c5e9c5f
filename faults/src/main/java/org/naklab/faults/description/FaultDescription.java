package org.naklab.faults.description;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The description of a kind of fault for users.
 *
 * @param summary what happens, one line without a full stop
 * @param on the process of a run that is the target if none is named; empty if the user must name one
 * @param parameters in the order of the record of the parameters
 * @param proof how one can tell that the fault fired, one line without a full stop; empty: not described
 * @param example as the command line writes it; empty: none
 */
public record FaultDescription(
        String summary, String on, List<FaultParameter> parameters, String proof, String example) {
    public FaultDescription {
        parameters = List.copyOf(parameters);
    }

    /** Begins a description of a fault in the market data service. */
    public static FaultDescription of(String summary) {
        return new FaultDescription(summary, "mds", List.of(), "", "");
    }

    /** Describes no more than the names of the parameters, for a kind that says nothing about itself. */
    public static FaultDescription ofNames(Class<? extends Record> parameterType) {
        FaultDescription description = of("");
        for (RecordComponent component : parameterType.getRecordComponents()) {
            description = description.with(FaultParameter.of(component.getName(), typeOf(component), "")
                    .optional());
        }
        return description;
    }

    private static ParameterType typeOf(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == boolean.class || type == Boolean.class) {
            return ParameterType.SWITCH;
        }
        boolean isWhole = type == int.class || type == long.class || type == Integer.class || type == Long.class;
        return isWhole ? ParameterType.COUNT : ParameterType.TEXT;
    }

    /** Returns this description with another default target. */
    public FaultDescription on(String process) {
        return new FaultDescription(summary, process, parameters, proof, example);
    }

    /** Returns this description with further parameters. */
    public FaultDescription with(FaultParameter... more) {
        List<FaultParameter> all =
                Stream.concat(parameters.stream(), Stream.of(more)).toList();
        return new FaultDescription(summary, on, all, proof, example);
    }

    /** Returns this description with how the fault proves that it fired. */
    public FaultDescription proof(String newProof) {
        return new FaultDescription(summary, on, parameters, newProof, example);
    }

    /** Returns this description with an example for the command line. */
    public FaultDescription example(String newExample) {
        return new FaultDescription(summary, on, parameters, proof, newExample);
    }

    /** Returns the parameter of that name on the command line or in a plan. */
    public Optional<FaultParameter> parameter(String name) {
        return parameters.stream()
                .filter(each -> each.word().equals(name) || each.name().equals(name))
                .findFirst()
                .or(() -> parameters.stream()
                        .filter(each -> each.name().endsWith("." + name))
                        .findFirst());
    }

    /** Returns the names on the command line. */
    public List<String> words() {
        return parameters.stream().map(FaultParameter::word).toList();
    }

    /**
     * Returns the parameters of a fault for people, such as {@code delay=60ms, maxCalls=1}.
     *
     * @param values as a plan has them
     */
    public String text(JsonNode values) {
        return parameters.stream()
                .filter(parameter -> !at(values, parameter).isMissingNode()
                        && !at(values, parameter).isNull())
                .map(parameter -> parameter.word() + "=" + parameter.text(at(values, parameter)))
                .collect(Collectors.joining(", "));
    }

    private static JsonNode at(JsonNode values, FaultParameter parameter) {
        return values.at("/" + parameter.name().replace('.', '/'));
    }
}
