package io.millrace.authoring.importer.n8n.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;

/** A step with the sequences inside it. */
public final class StepDraft {
    private final ObjectNode fields;
    private final List<StepSequence> branches = new ArrayList<>();
    private StepSequence body;
    private StepSequence onSuccess;
    private StepSequence onFailure;

    private StepDraft(ObjectNode fields) {
        this.fields = fields;
    }

    static StepDraft of(String name, String displayName, String type, ObjectNode settings) {
        var fields = Json.object()
                .put("name", name)
                .put("displayName", displayName)
                .put("type", type)
                .put("valid", true);
        fields.set("settings", settings);
        return new StepDraft(fields);
    }

    public static StepDraft piece(
            String name, String displayName, String piece, String version, String action, ObjectNode input) {
        var settings = Json.object()
                .put("pieceName", piece)
                .put("pieceVersion", version)
                .put("actionName", action);
        settings.set("input", input);
        settings.putObject("propertySettings");
        return of(name, displayName, "PIECE", settings);
    }

    public static StepDraft code(String name, String displayName, String code, ObjectNode input) {
        var settings = Json.object();
        settings.putObject("sourceCode").put("code", code).put("packageJson", "{}");
        settings.set("input", input);
        return of(name, displayName, "CODE", settings);
    }

    public static StepDraft loop(String name, String displayName, String items) {
        return of(name, displayName, "LOOP_ON_ITEMS", Json.object().put("items", items));
    }

    public static StepDraft router(String name, String displayName, boolean isFirstMatch) {
        var settings = Json.object().put("executionType", isFirstMatch ? "EXECUTE_FIRST_MATCH" : "EXECUTE_ALL_MATCH");
        settings.putArray("branches");
        return of(name, displayName, "ROUTER", settings);
    }

    public String name() {
        return fields.path("name").asText();
    }

    public ObjectNode settings() {
        return (ObjectNode) fields.path("settings");
    }

    public StepSequence addBranch(ObjectNode branch, StepSequence sequence) {
        settings().withArray("branches").add(branch);
        branches.add(sequence);
        return sequence;
    }

    public void setBody(StepSequence sequence) {
        body = sequence;
    }

    public void setOutcomes(StepSequence success, StepSequence failure) {
        onSuccess = success;
        onFailure = failure;
    }

    public void skip() {
        fields.put("skip", true);
    }

    public boolean hasErrorHandling() {
        var type = fields.path("type").asText();
        return type.equals("CODE") || type.equals("PIECE");
    }

    public void setErrorHandling(boolean continues, boolean retries) {
        var options = settings().putObject("errorHandlingOptions");
        options.putObject("continueOnFailure").put("value", continues);
        options.putObject("retryOnFailure").put("value", retries);
    }

    ObjectNode json() {
        if (fields.path("type").asText().equals("ROUTER")) {
            var children = fields.putArray("children");
            for (var branch : branches) {
                var head = branch.json();
                if (head == null) {
                    children.addNull();
                } else {
                    children.add(head);
                }
            }
        }
        putHead(fields, "firstLoopAction", body);
        if (onSuccess != null || onFailure != null) {
            var outcomes = fields.putObject("continueOnFailureBranches");
            putHead(outcomes, "onSuccess", onSuccess);
            putHead(outcomes, "onFailure", onFailure);
        }
        return fields;
    }

    private static void putHead(ObjectNode json, String field, StepSequence sequence) {
        var head = sequence == null ? null : sequence.json();
        if (head != null) {
            json.set(field, head);
        }
    }
}
