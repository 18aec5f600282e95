package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.sandbox.expression.ResolvedInput;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * Instructions of a run that replays an earlier one.
 *
 * @param editedPath path of the step whose input is replaced, or null
 * @param editedInput input that replaces the resolved one; ignored without a path
 * @param performsAll whether steps that reach outside are executed; otherwise only the named ones are
 * @param performed names of steps that have external effects and are executed nevertheless
 * @param stopPath path of the recorded step that ended the run with its answer, or null
 * @param versionUpdated last change of the version at the time of the request: a draft may be compiled in an older state
 */
public record RunReplay(
        @Nullable String editedPath,
        JsonNode editedInput,
        boolean performsAll,
        Set<String> performed,
        @Nullable String stopPath,
        Instant versionUpdated) {
    public RunReplay {
        performed = Set.copyOf(performed);
    }

    public static RunReplay read(JsonNode json) {
        var performed = new TreeSet<String>();
        json.path("performed").forEach(name -> performed.add(name.asText()));
        return new RunReplay(
                json.path("editedPath").textValue(),
                json.path("editedInput"),
                json.path("performsAll").asBoolean(),
                performed,
                json.path("stopPath").textValue(),
                Instant.parse(json.path("versionUpdated").asText()));
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("editedPath", editedPath)
                .put("performsAll", performsAll)
                .put("stopPath", stopPath)
                .put("versionUpdated", versionUpdated.toString());
        json.set("editedInput", editedInput);
        new TreeSet<>(performed).forEach(json.putArray("performed")::add);
        return json;
    }

    /** Returns whether a step that reaches outside must not be executed. */
    public boolean withholds(String stepName) {
        return !performsAll && !performed.contains(stepName);
    }

    public static String withheld(String path) {
        return "Step " + path
                + " has no recorded result, and this replay does not perform it: nothing was sent. Name the"
                + " step in \"effects\" to perform it.";
    }

    public boolean isStop(String path) {
        return path.equals(stopPath);
    }

    public ResolvedInput edited(String path, ResolvedInput resolved) {
        return path.equals(editedPath) ? InputEdits.applied(resolved, editedInput) : resolved;
    }
}
