package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.remote.ExportArchive.ExportedProject;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Import of one project into a server.
 *
 * @param target existing project; empty if a new one is created
 * @param wanted the definition to apply
 * @param plan changes by that definition, with the revision that the plan was made for
 * @param agents imports of the exported agents
 * @param conflicts existing items that differ
 */
record ProjectImport(
        ExportedProject exported,
        Optional<ObjectNode> target,
        ObjectNode wanted,
        ObjectNode plan,
        List<AgentImport> agents,
        List<JsonNode> conflicts) {
    private static final List<String> LISTS = List.of("folders", "connections", "tables", "flows");

    ProjectImport {
        agents = List.copyOf(agents);
        conflicts = List.copyOf(conflicts);
    }

    /** Plans the import into an existing project. Changes nothing. */
    static ProjectImport into(
            ExportedProject exported, ObjectNode target, RemotePlatform platform, boolean sparesConflicts) {
        var api = platform.definition(target);
        var present = (ObjectNode) api.read().required("definition");
        var merged = ImportedProject.merged(present, exported.definition());
        var plan = planned(api, merged);
        var differing = unexplained(ImportedProject.conflicts(plan), api);
        var agents = agents(exported, platform.agents(target));
        var conflicts = Stream.concat(
                        differing.stream(),
                        agents.stream().filter(AgentImport::isConflict).map(AgentImport::item))
                .toList();
        if (!sparesConflicts || differing.isEmpty()) {
            return new ProjectImport(exported, Optional.of(target), merged, plan, agents, conflicts);
        }
        var spared = ImportedProject.sparing(differing, present, merged);
        return new ProjectImport(exported, Optional.of(target), spared, planned(api, spared), agents, conflicts);
    }

    private static ObjectNode planned(ProjectApi api, ObjectNode definition) {
        return naming(definition, () -> api.plan(definition));
    }

    private static <T> T naming(ObjectNode definition, Supplier<T> call) {
        return RefusedItems.naming((list, number) -> ImportedProject.nameOf(definition, list, number), call);
    }

    /** Leaves out flows that an earlier import has saved and that are not published yet, or whose publication has failed. */
    private static List<JsonNode> unexplained(List<JsonNode> conflicts, ProjectApi api) {
        if (conflicts.stream().noneMatch(ImportedProject::isPublicationOnly)) {
            return conflicts;
        }
        var unpublished = api.publications();
        var saved = Stream.of("pending", "failed")
                .flatMap(list -> unpublished.path(list).valueStream())
                .map(flow -> flow.path("externalId").asText())
                .collect(Collectors.toSet());
        return conflicts.stream()
                .filter(item -> !ImportedProject.isPublicationOnly(item)
                        || !saved.contains(item.path("key").asText()))
                .toList();
    }

    /** An export without agents makes no request for agents: the server may not support them. */
    private static List<AgentImport> agents(ExportedProject exported, RemoteAgents agents) {
        if (exported.agents().isEmpty()) {
            return List.of();
        }
        var present = agents.all();
        return exported.agents().stream()
                .map(agent -> AgentImport.of(agent, present))
                .toList();
    }

    /** Plans the import as a new project; a server cannot compute a plan for a project that does not exist. */
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
        var agents = exported.agents().stream()
                .map(agent -> AgentImport.of(agent, List.of()))
                .toList();
        return new ProjectImport(exported, Optional.empty(), exported.definition(), plan, agents, List.of());
    }

    private static String nameOf(JsonNode item) {
        return item.path("displayName")
                .asText(item.path("version")
                        .path("displayName")
                        .asText(item.path("name").asText()));
    }

    /**
     * Executes the import: agents first, because flows that refer to a missing agent are refused; then one transaction, refused
     * when the project has changed since the plan.
     */
    ObjectNode carryOut(RemotePlatform platform, boolean overwrites) {
        var project = target.orElseGet(() -> platform.newProject(exported.displayName(), exported.externalId()));
        var there = platform.agents(project);
        agents.forEach(agent -> agent.carryOut(there, overwrites));
        var api = platform.definition(project);
        var revision = Optional.ofNullable(plan.path("revision").textValue());
        var filled = filled();
        if (filled.isEmpty()) {
            return told(project, naming(wanted, () -> api.apply(wanted, revision, false)), overwrites);
        }
        return told(project, applyAround(platform.tables(project), filled, api, revision), overwrites);
    }

    /**
     * Imports records into new tables before the flows that may listen to them, so that imported records cause no events. A
     * project with records therefore needs two transactions.
     */
    private ObjectNode applyAround(
            RemoteTables tables, List<String> filled, ProjectApi api, Optional<String> revision) {
        var present = (ObjectNode) api.read().required("definition");
        var tablesOnly = ImportedProject.withTablesOf(wanted, present);
        var first = naming(tablesOnly, () -> api.apply(tablesOnly, revision, false));
        filled.forEach(table -> tables.fill(table, exported.records().get(table)));
        var between = Optional.ofNullable(first.path("revision").textValue());
        var second = naming(wanted, () -> api.apply(wanted, between, false));
        var both = second.deepCopy();
        both.putArray("items")
                .addAll(Stream.concat(
                                first.path("items").valueStream(),
                                second.path("items").valueStream())
                        .toList());
        return both;
    }

    /** New tables with records in the export; existing tables keep their records. */
    private List<String> filled() {
        return plan.path("items")
                .valueStream()
                .filter(item -> item.path("kind").asText().equals("TABLE"))
                .filter(item -> item.path("action").asText().equals("CREATE"))
                .map(item -> item.path("key").asText())
                .filter(key -> !exported.records().getOrDefault(key, List.of()).isEmpty())
                .toList();
    }

    ObjectNode planned(boolean overwrites) {
        return told(target.orElseGet(Json::object), plan, overwrites);
    }

    private ObjectNode told(ObjectNode project, ObjectNode change, boolean overwrites) {
        var json = Json.object()
                .put("displayName", exported.displayName())
                .put("projectId", project.path("id").textValue())
                .put("isNew", target.isEmpty())
                .put(
                        "records",
                        filled().stream()
                                .mapToInt(table -> exported.records().get(table).size())
                                .sum());
        var items = json.putArray("items");
        agents.stream()
                .filter(agent -> agent.isCarriedOut(overwrites))
                .map(AgentImport::item)
                .forEach(items::add);
        change.path("items").forEach(items::add);
        json.putArray("problems").addAll(problems(change, overwrites));
        json.putArray("conflicts").addAll(conflicts);
        return json;
    }

    private List<JsonNode> problems(ObjectNode change, boolean overwrites) {
        var problems = new ArrayList<JsonNode>();
        change.path("problems").forEach(problems::add);
        agents.stream()
                .filter(agent -> agent.isCarriedOut(overwrites))
                .forEach(agent -> problems.addAll(agent.problems()));
        var filled = filled();
        exported.records().forEach((table, records) -> {
            if (!records.isEmpty() && !filled.contains(table)) {
                problems.add(Json.object()
                        .put("kind", "TABLE")
                        .put("key", table)
                        .put(
                                "message",
                                "already exists and keeps its records; records of the export are not imported"));
            }
        });
        return problems;
    }
}
