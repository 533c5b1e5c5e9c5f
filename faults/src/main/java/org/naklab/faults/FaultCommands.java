package org.naklab.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A controller by lines of text, for a process whose parent commands it through its standard input:
 *
 * <pre>
 * plan {"seed":42,"faults":[…]}     takes the plan in
 * start                             its time begins
 * trigger NAME                      something happened
 * add {"kind":"stall",…}            one more fault
 * disarm ID     remove ID           not any more
 * state ID                          how far it has come, with its proof
 * proofs                            of all faults, by id
 * </pre>
 *
 * The answer is one line of JSON: {@code {"ok":true,…}} or {@code {"ok":false,"error":"…"}}.
 */
public final class FaultCommands {
    private final FaultController controller;

    public FaultCommands(FaultController controller) {
        this.controller = controller;
    }

    /** Runs one command. Never throws for what the line says. */
    public String execute(String line) {
        String[] words = line.strip().split("\\s+", 2);
        try {
            Map<String, Object> answer = new LinkedHashMap<>();
            Object result = run(words[0], words.length > 1 ? words[1] : "");
            answer.put("ok", true);
            if (result != null) {
                answer.put("result", result);
            }
            return Json.write(answer);
        } catch (FaultException e) {
            return refusal(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the answer to a command that cannot be obeyed. */
    public static String refusal(String why) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ok", false);
        answer.put("error", why);
        return Json.write(answer);
    }

    private @Nullable Object run(String verb, String rest) {
        switch (verb) {
            case "plan" -> controller.load(FaultPlan.fromJson(rest));
            case "start" -> controller.start();
            case "trigger" -> controller.trigger(rest);
            case "add" -> {
                return controller.add(Json.parse(rest, FaultSpec.class, "fault"));
            }
            case "disarm" -> {
                return controller.disarm(rest);
            }
            case "remove" -> {
                return controller.remove(rest);
            }
            case "state" -> {
                return controller.state(rest);
            }
            case "proofs" -> {
                return controller.proofs();
            }
            default -> throw new FaultException("unknown fault command: " + verb);
        }
        return null;
    }

    /**
     * The proofs in an answer to {@code proofs}, on the side of the process that asked.
     *
     * @throws FaultException if the answer says that the command failed
     */
    public static Map<String, FaultProof> proofsIn(String answer) {
        Map<String, FaultProof> proofs = new LinkedHashMap<>();
        resultIn(answer)
                .properties()
                .forEach(entry ->
                        proofs.put(entry.getKey(), Json.fromTree(entry.getValue(), FaultProof.class, entry.getKey())));
        return proofs;
    }

    /**
     * Returns the state in an answer to {@code state}, on the side of the process that asked.
     *
     * @throws FaultException if the answer says that the command failed
     */
    public static FaultState stateIn(String answer) {
        return Json.fromTree(resultIn(answer), FaultState.class, "answer to state");
    }

    /**
     * Returns the proof in an answer to {@code disarm} or {@code remove}, on the side of the process that asked.
     *
     * @throws FaultException if the answer says that the command failed
     */
    public static FaultProof proofIn(String answer) {
        return Json.fromTree(resultIn(answer), FaultProof.class, "answer to disarm");
    }

    /**
     * Returns the line that adds a fault.
     *
     * @return a command for {@link #execute}
     */
    public static String add(FaultSpec spec) {
        return "add " + Json.write(spec);
    }

    /**
     * Returns whether an answer to {@code add} says that the fault concerns the process.
     *
     * @throws FaultException if the answer says that the command failed
     */
    public static boolean isAddedIn(String answer) {
        return resultIn(answer).asBoolean();
    }

    private static JsonNode resultIn(String answer) {
        JsonNode tree = Json.parse(answer, JsonNode.class, "answer of a process");
        if (!tree.path("ok").asBoolean()) {
            throw new FaultException(tree.path("error").asText());
        }
        return tree.path("result");
    }
}
