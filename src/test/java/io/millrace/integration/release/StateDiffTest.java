package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.table.TableState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.integration.git.FileChange;
import io.millrace.integration.git.RepositoryFile;
import io.millrace.support.FlowScript;
import io.millrace.workspace.connection.ConnectionScope;
import io.millrace.workspace.connection.ConnectionState;
import io.millrace.workspace.connection.ConnectionStates.StoredConnection;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Differences between states, texts of a plan, and the file format of states. */
final class StateDiffTest {
    private static final String HTTP = "@activepieces/piece-http";

    private static FlowState flow(String id, String externalId, FlowScript script) {
        return FlowState.read(json(id, externalId, script), "flow");
    }

    private static ObjectNode json(String id, String externalId, FlowScript script) {
        var json = Json.object().put("id", id).put("externalId", externalId).put("status", "ENABLED");
        json.putObject("version")
                .put("displayName", "Flow " + externalId)
                .put("schemaVersion", "22")
                .set("trigger", script.tree());
        return json;
    }

    private static FlowScript calling(String version, String auth, String url) {
        var input = Json.object().put("auth", "{{connections['" + auth + "']}}").put("url", url);
        return FlowScript.webhook().piece("step_1", HTTP, version, "send_request", input);
    }

    private static StateDiff diff(List<FlowState> here, FlowState... wanted) {
        return StateDiff.of(
                new ReleaseApplier.ProjectSnapshot(here, List.of(), List.of()),
                new ProjectState(List.of(wanted), List.of(), List.of()));
    }

    private static StoredConnection held(
            ConnectionScope scope, String externalId, String pieceName, String displayName) {
        return new StoredConnection(
                "id-" + externalId,
                new ConnectionState(externalId, pieceName, displayName),
                scope,
                ConnectionStatus.ACTIVE);
    }

    @Test
    void matchesFlowsByExternalId_deletedFirst() {
        // Given
        var kept = flow("here-1", "kept", calling("1.0.0", "shop", "a"));
        var gone = flow("here-2", "gone", calling("1.0.0", "shop", "a"));
        var changed = flow("here-3", "changed", calling("1.0.0", "shop", "a"));

        // When
        var diff = diff(
                List.of(kept, gone, changed),
                flow("there-1", "new", calling("1.0.0", "shop", "a")),
                flow("there-2", "kept", calling("1.0.0", "shop", "a")),
                flow("there-3", "changed", calling("1.0.0", "shop", "b")));

        // Then
        assertThat(Json.text(diff.toPlan(_ -> Optional.empty())))
                .isEqualTo(Json.text(FlowScript.json("{'flows':["
                        + "{'type':'DELETE_FLOW','flow':{'id':'here-2','displayName':'Flow gone'}},"
                        + "{'type':'CREATE_FLOW','flow':{'id':'there-1','displayName':'Flow new'}},"
                        + "{'type':'UPDATE_FLOW','flow':{'id':'here-3','displayName':'Flow changed'},"
                        + "'targetFlow':{'id':'there-3','displayName':'Flow changed'}}],"
                        + "'connections':[],'tables':[],'errors':[]}")));
        assertThat(diff.only(Optional.of(List.of("there-1", "there-3"))).flows())
                .hasSize(1);
        assertThat(diff.only(Optional.of(List.of())).flows()).isEmpty();
        assertThat(diff.only(Optional.empty())).isEqualTo(diff);
    }

    @Test
    void countsAnotherExactVersionOfAPiece_andNotAnotherConnection() {
        var here = flow("here", "x", calling("1.0.0", "of-production", "a"));
        assertThat(diff(List.of(here), flow("there", "x", calling("1.0.0", "shop", "a")))
                        .flows())
                .isEmpty();
        assertThat(diff(List.of(here), flow("there", "x", calling("1.0.1", "shop", "a")))
                        .flows())
                .hasSize(1)
                .first()
                .extracting(change ->
                        ((StateDiff.FlowChange.Update) change).result().connectionIds())
                .isEqualTo(List.of("of-production"));
    }

    @Test
    void givesANewStepTheConnectionOfItsSource() {
        // Given
        var here = flow("here", "x", FlowScript.webhook().code("step_1", "export const code = () => 1"));

        // When
        var diff = diff(List.of(here), flow("there", "x", calling("1.0.0", "shop", "a")));

        // Then
        var update = (StateDiff.FlowChange.Update) diff.flows().getFirst();
        assertThat(update.result().connectionIds()).containsExactly("shop");
    }

    @Test
    void saysWhichFlowsWouldLandAsDrafts() {
        var plan = diff(List.of(), flow("there", "x", calling("1.0.0", "shop", "a")))
                .toPlan(flow -> Optional.of(flow.displayName() + " cannot run"));
        assertThat(plan.path("errors").toString())
                .isEqualTo("[{\"flowId\":\"there\",\"message\":\"Flow x cannot run\"}]");
    }

    private static TableState table(String id, String externalId, String... columns) {
        var json = Json.object().put("id", id).put("name", externalId).put("externalId", externalId);
        var fields = json.putArray("fields");
        for (var column : columns) {
            fields.addObject().put("name", column).put("externalId", column).put("type", "TEXT");
        }
        var read = Fields.of("table", json);
        var state = TableState.read(read);
        read.done();
        return state;
    }

    private static List<String> tablePlan(List<TableState> here, TableState... wanted) {
        var plan = StateDiff.of(
                        new ReleaseApplier.ProjectSnapshot(List.of(), List.of(), here),
                        new ProjectState(List.of(), List.of(), List.of(wanted)))
                .toPlan(_ -> Optional.empty());
        var changes = new ArrayList<String>();
        plan.path("tables")
                .forEach(change -> changes.add(change.path("type").asText() + " "
                        + change.at("/tableState/externalId").asText()));
        return changes;
    }

    @Test
    void matchesTablesByExternalId_deletedFirst() {
        var here = List.of(table("1", "kept", "a", "b"), table("2", "gone"), table("3", "changed", "a"));

        assertThat(tablePlan(here, table("4", "new"), table("5", "kept", "b", "a"), table("6", "changed", "a", "b")))
                .containsExactly("DELETE_TABLE gone", "CREATE_TABLE new", "UPDATE_TABLE changed");
    }

    @Test
    void aStateWithoutTablesDeletesNone_andAChoiceOfFlowsNeither() {
        var here = new ReleaseApplier.ProjectSnapshot(List.of(), List.of(), List.of(table("1", "kept")));
        var without = new ProjectState(List.of(), List.of(), List.of());
        var other = new ProjectState(List.of(), List.of(), List.of(table("2", "new")));

        assertThat(StateDiff.of(here, without).tables()).isEmpty();
        assertThat(StateDiff.of(here, other).tables()).hasSize(2);
        assertThat(StateDiff.of(here, other).only(Optional.of(List.of())).tables())
                .singleElement()
                .isInstanceOf(StateDiff.TableChange.Create.class);
    }

    @Test
    void makesPlacesForMissingConnections_andRenamesOwnOnes() {
        // Given
        var held = List.of(
                held(ConnectionScope.PROJECT, "own", HTTP, "Before"),
                held(ConnectionScope.PLATFORM, "global", HTTP, "Before"));
        var wanted = new ProjectState(
                List.of(),
                List.of(
                        new ConnectionState("own", HTTP, "After"),
                        new ConnectionState("global", HTTP, "After"),
                        new ConnectionState("new", HTTP, "New")),
                List.of());

        // When
        var plan = StateDiff.of(new ReleaseApplier.ProjectSnapshot(List.of(), held, List.of()), wanted)
                .toPlan(_ -> Optional.empty());

        // Then
        assertThat(plan.path("connections").findValuesAsText("type"))
                .containsExactly("UPDATE_CONNECTION", "CREATE_CONNECTION");
        assertThat(plan.at("/connections/0/newConnectionState/displayName").asText())
                .isEqualTo("After");
    }

    @Test
    void refusesAConnectionOfAnotherPiece_andExternalIdsThatComeTwice() {
        var held = List.of(held(ConnectionScope.PROJECT, "own", "@activepieces/piece-other", "Own"));
        var wanted = new ProjectState(List.of(), List.of(new ConnectionState("own", HTTP, "Own")), List.of());
        assertThatThrownBy(() -> StateDiff.of(new ReleaseApplier.ProjectSnapshot(List.of(), held, List.of()), wanted))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("own");
        var flow = flow("there", "x", FlowScript.webhook());
        assertThatThrownBy(() -> new ProjectState(List.of(flow, flow), List.of(), List.of()))
                .hasMessageContaining("x twice");
    }

    @Test
    void readsBackWhatItWrites_asSnapshotAndAsFiles() {
        // Given
        var flows = List.of(
                flow("1", "a", calling("1.0.0", "shop", "a")),
                flow("2", "../b", FlowScript.webhook().returnJson("step_1", "{'a':1}")));
        var connections =
                List.of(new ConnectionState("shop", HTTP, "Shop"), new ConnectionState("unused", HTTP, "Nobody's"));
        var tables = List.of(table("1", "orders", "a", "b"));
        var state = new ProjectState(flows, connections, tables);

        // When
        var stored = ProjectState.stored(state.toJson());
        var files = Stream.concat(StateFiles.written(flows, connections).stream(), StateFiles.written(tables).stream())
                .map(FileChange.Put.class::cast)
                .map(put -> new RepositoryFile(put.folder(), put.name(), put.content()))
                .toList();
        var read = StateFiles.read(files);

        // Then
        assertThat(stored.tables()).isEqualTo(tables);
        assertThat(read.tables()).isEqualTo(tables);
        assertThat(stored.toJson()).isEqualTo(state.toJson());
        assertThat(files.stream().map(RepositoryFile::name))
                .containsExactly("a.json", "%2E%2E%2Fb.json", "shop.json", "orders.json");
        assertThat(read.flows())
                .allSatisfy(flow -> assertThat(flow.hasContentOf(flows.stream()
                                .filter(other -> other.externalId().equals(flow.externalId()))
                                .findFirst()
                                .orElseThrow()))
                        .isTrue());
        assertThat(read.connections()).containsExactly(connections.getFirst());
    }

    /** A flow of the maximum length neither exhausts the stack nor makes a file of quadratic size. */
    @Test
    void writesAndComparesLongFlows() {
        // Given
        var script = FlowScript.webhook();
        for (var step = 1; step <= 3_000; step++) {
            script.code("step_" + step, "export const code = () => 1");
        }
        var flow = flow("1", "long", script);

        // When
        var file = (FileChange.Put) StateFiles.written(List.of(flow), List.of()).getFirst();
        var read = StateFiles.read(List.of(new RepositoryFile("flows", "long.json", file.content())));

        // Then
        assertThat(read.flows().getFirst().hasContentOf(flow)).isTrue();
        assertThat(file.content().length()).isLessThan(DeepJson.bytes(flow.toJson()).length * 5);
    }

    @Test
    void namesFilesSoThatTheyAreTheSameOnEveryDisk() {
        assertThat(StateFiles.fileName("8c2vKq0aXbY7mNpTzR4eL")).isEqualTo("8c2vKq0aXbY7mNpTzR4eL.json");
        assertThat(StateFiles.fileName("..")).isEqualTo("%2E%2E.json");
        assertThat(StateFiles.fileName("a/b c")).isEqualTo("a%2Fb%20c.json");
        assertThat(StateFiles.fileName("x".repeat(200))).hasSize(205);
        assertThat(StateFiles.fileName("x".repeat(201))).hasSize(69);
        assertThat(FileChange.NAME.matcher(StateFiles.fileName("ü".repeat(255))).matches())
                .isTrue();
    }

    /** Flow state in the format of the API, with all fields. */
    @Test
    void readsAWholeFlowAsTheApiShowsIt() {
        // Given
        var whole = json("1", "a", FlowScript.webhook().returnJson("step_1", "{'a':1}"))
                .put("created", "2026-01-05T10:20:30.123Z")
                .put("publishedVersionId", "v1");
        ((ObjectNode) whole.at("/version/trigger")).remove("lastUpdatedDate");
        ((ObjectNode) whole.at("/version/trigger/settings"))
                .putObject("sampleData")
                .put("sampleDataFileId", "f1");
        var text = Buffer.buffer(whole.toString().getBytes(StandardCharsets.UTF_8));

        // When
        var read = StateFiles.read(List.of(new RepositoryFile("flows", "x.json", text)));

        // Then
        assertThat(read.flows().getFirst().isPublished()).isTrue();
        assertThat(read.flows().getFirst().toJson().toString()).doesNotContain("sampleData", "2026-01-05");
    }
}
