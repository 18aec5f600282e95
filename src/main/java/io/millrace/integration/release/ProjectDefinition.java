package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.folder.FolderState;
import io.millrace.authoring.table.TableState;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.secret.Hashes;
import io.millrace.integration.release.ProjectDocument.RequiredPiece;
import io.millrace.workspace.connection.ConnectionState;
import io.millrace.workspace.variable.VariableState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Portable definition of a project, for storage in files: without server-specific ids and dates. Equal projects have the same
 * definition, byte for byte.
 *
 * @param flowFolders names of the folders of flows, by the external ids of the flows
 * @param tableFolders the same of tables
 */
public record ProjectDefinition(
        ProjectState state,
        List<FolderState> folders,
        Map<String, String> flowFolders,
        Map<String, String> tableFolders,
        List<VariableState> variables) {
    private static final int FORMAT = 1;
    static final String TESTS = "tests";
    private static final String FOLDER = "folder";

    public ProjectDefinition {
        folders = sorted(folders, FolderState::displayName);
        flowFolders = Map.copyOf(flowFolders);
        tableFolders = Map.copyOf(tableFolders);
        variables = sorted(variables, VariableState::name);
        state = new ProjectState(
                sorted(state.flows(), FlowState::externalId),
                sorted(state.connections(), ConnectionState::externalId),
                sorted(state.tables(), TableState::externalId));
    }

    private static <T> List<T> sorted(List<T> items, Function<T, String> key) {
        return items.stream().sorted(Comparator.comparing(key)).toList();
    }

    /** Problems are recorded in the body, except those of a flow, which are refused at once. */
    static ProjectDefinition read(Fields body) {
        if (body.optionalInteger("formatVersion", FORMAT, FORMAT).isEmpty() && body.isAbsent("formatVersion")) {
            body.refuse("formatVersion", "Invalid input: expected number, received undefined");
        }
        var folders = ProjectDocument.items(body, "folders", ProjectDocument.ITEMS_MAX, FolderState::readNamed);
        var variables = ProjectDocument.items(body, "variables", ProjectDocument.ITEMS_MAX, VariableState::read);
        var connections = ProjectDocument.items(body, "connections", ProjectDocument.ITEMS_MAX, ConnectionState::read);
        var known =
                folders.stream().map(folder -> nameKey(folder.displayName())).collect(Collectors.toSet());
        if (known.size() < folders.size()) {
            body.refuse("folders", "Invalid input: expected folders of different names");
        }
        var tableFolders = new HashMap<String, String>();
        var tables = ProjectDocument.items(body, "tables", ProjectDocument.ITEMS_MAX, given -> {
            var table = TableState.read(given);
            folderOf(given, known).ifPresent(name -> tableFolders.put(table.externalId(), name));
            return table;
        });
        var flowFolders = new HashMap<String, String>();
        var flows = new ArrayList<FlowState>();
        if (body.isSound()) {
            for (var given : body.array("flows")) {
                var folder = folderOf(body.element("flows", flows.size(), given), known);
                body.done();
                var flow = FlowState.read((ObjectNode) given, "body/flows/" + flows.size());
                flows.add(flow);
                folder.ifPresent(name -> flowFolders.put(flow.externalId(), name));
            }
        }
        return new ProjectDefinition(
                new ProjectState(flows, connections, tables), folders, flowFolders, tableFolders, variables);
    }

    private static Optional<String> folderOf(Fields given, Set<String> known) {
        var name = given.optionalText(FOLDER);
        if (name.isPresent() && !known.contains(nameKey(name.get()))) {
            given.refuse(FOLDER, "Invalid input: expected the name of one of the folders");
        }
        return name;
    }

    private static String nameKey(String displayName) {
        return displayName.toLowerCase(Locale.ROOT);
    }

    /** JSON in the format of {@link #read}, in a canonical order. */
    ObjectNode toJson() {
        var json = Json.object().put("formatVersion", FORMAT);
        put(json.putArray("flows"), state.flows(), flow -> inFolder(flow.toJson(), flow.externalId(), flowFolders));
        put(
                json.putArray("tables"),
                state.tables(),
                table -> inFolder(table.toJson(), table.externalId(), tableFolders));
        put(json.putArray("folders"), folders, ProjectDefinition::folderJson);
        put(json.putArray("connections"), state.connections(), ConnectionState::toJson);
        put(json.putArray("variables"), variables, VariableState::toJson);
        return json;
    }

    static ObjectNode folderJson(FolderState folder) {
        return Json.object()
                .put("displayName", folder.displayName())
                .set("displayOrder", Json.number(folder.displayOrder()));
    }

    /** Fields of a table that a plan compares: by external id, because the order of fields is irrelevant. */
    ObjectNode tableFields(TableState table) {
        var json = inFolder(table.toJson(), table.externalId(), tableFolders);
        var columns = Json.object();
        json.path("fields")
                .forEach(column -> columns.set(column.path("externalId").asText(), column));
        json.set("fields", columns);
        return json;
    }

    ObjectNode flowFields(FlowState flow, boolean withStatus) {
        var json = Json.object().put("displayName", flow.displayName());
        if (withStatus) {
            json.put("status", flow.status().name()).put("published", flow.isPublished());
        }
        var version = flow.toJson().path("version");
        json.set("notes", version.path("notes"));
        if (version.has(TESTS)) {
            // By id: a plan names the test that changes.
            var tests = Json.object();
            version.path(TESTS).forEach(test -> tests.set(test.path("id").asText(), test));
            json.set(TESTS, tests);
        }
        return inFolder(json, flow.externalId(), flowFolders);
    }

    private static ObjectNode inFolder(ObjectNode item, String externalId, Map<String, String> folders) {
        item.remove("id");
        if (folders.containsKey(externalId)) {
            item.put(FOLDER, folders.get(externalId));
        }
        return item;
    }

    private static <T> void put(ArrayNode list, List<T> items, Function<T, ObjectNode> toJson) {
        items.forEach(item -> list.add(toJson.apply(item)));
    }

    String revision() {
        return Hashes.sha256Hex(new String(DeepJson.bytes(toJson()), StandardCharsets.UTF_8));
    }

    /** Converts to a document of a replace, which has the logic for required pieces and counts. */
    ProjectDocument toDocument(String version) {
        return new ProjectDocument(version, state, folders, flowFolders, requiredPieces());
    }

    private List<RequiredPiece> requiredPieces() {
        var pieces = new LinkedHashSet<RequiredPiece>();
        for (var flow : state.flows()) {
            for (var step : flow.content().steps().steps()) {
                var isOfPiece = step instanceof PieceStep || step instanceof PieceTriggerStep;
                var name = step.setting("pieceName");
                var version = step.setting("pieceVersion");
                if (isOfPiece && name.isPresent() && version.isPresent()) {
                    pieces.add(new RequiredPiece(name.get(), version.get(), "OFFICIAL"));
                }
            }
        }
        return List.copyOf(pieces);
    }
}
