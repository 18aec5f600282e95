package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.remote.ExportArchive.ExportedProject;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One project of an export on its way into a server.
 *
 * @param target the project that it goes into; empty when it has to be made
 * @param wanted the definition to apply
 * @param plan what that changes, with the revision that it was made for
 * @param conflicts items of the plan that are there and differ
 */
record ProjectImport(
        ExportedProject exported,
        Optional<ObjectNode> target,
        ObjectNode wanted,
        ObjectNode plan,
        List<JsonNode> conflicts) {
    private static final List<String> LISTS = List.of("folders", "connections", "tables", "flows");

    ProjectImport {
        conflicts = List.copyOf(conflicts);
    }

    /** How it goes into a project that is there. Changes nothing. */
    static ProjectImport into(ExportedProject exported, ObjectNode target, ProjectApi api, boolean sparesConflicts) {
        var present = (ObjectNode) api.read().required("definition");
        var merged = ImportedProject.merged(present, exported.definition());
        var plan = api.plan(merged);
        var conflicts = ImportedProject.conflicts(plan);
        if (!sparesConflicts || conflicts.isEmpty()) {
            return new ProjectImport(exported, Optional.of(target), merged, plan, conflicts);
        }
        var spared = ImportedProject.sparing(conflicts, present, merged);
        return new ProjectImport(exported, Optional.of(target), spared, api.plan(spared), conflicts);
    }

    /** How it becomes a project of its own: no server can plan what is not there. */
    static ProjectImport fresh(ExportedProject exported) {
        var plan = Json.object();
        var items = plan.putArray("items");
        for (var list : LISTS) {
            for (var item : exported.definition().path(list)) {
                items.addObject()
                        .put("kind", list.substring(0, list.length() - 1).toUpperCase(Locale.ROOT))
                        .put("action", "CREATE")
                        .put(
                                "key",
                                item.path("externalId")
                                        .asText(item.path("displayName").asText()))
                        .put("displayName", nameOf(item));
            }
        }
        return new ProjectImport(exported, Optional.empty(), exported.definition(), plan, List.of());
    }

    private static String nameOf(JsonNode item) {
        return item.path("displayName")
                .asText(item.path("version")
                        .path("displayName")
                        .asText(item.path("name").asText()));
    }

    /** Carries it out: one transaction, refused when the project has changed since the plan. */
    ObjectNode carryOut(RemotePlatform platform) {
        var project = target.orElseGet(() -> platform.newProject(exported.displayName(), exported.externalId()));
        var revision = Optional.ofNullable(plan.path("revision").textValue());
        return told(project, platform.definition(project).apply(wanted, revision, false));
    }

    /** What is going to happen. */
    ObjectNode planned() {
        return told(target.orElseGet(Json::object), plan);
    }

    private ObjectNode told(ObjectNode project, ObjectNode change) {
        var json = Json.object()
                .put("displayName", exported.displayName())
                .put("projectId", project.path("id").textValue())
                .put("isNew", target.isEmpty());
        json.set("items", change.path("items"));
        json.set("problems", change.path("problems").isArray() ? change.path("problems") : Json.array());
        json.putArray("conflicts").addAll(conflicts);
        return json;
    }
}
