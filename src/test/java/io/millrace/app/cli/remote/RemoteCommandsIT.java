package io.millrace.app.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.support.CommandRun;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.Slow;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that call a running server: projects and templates as one file, and the data of a person. */
@Slow(Slow.Reason.PROCESS)
final class RemoteCommandsIT extends OpenServer {
    private static String key;

    @TempDir
    private Path files;

    @BeforeAll
    static void makeKey() {
        key = admin.api()
                .post("/v1/api-keys", Json.object().put("displayName", "operator"))
                .text("/value");
    }

    private static CommandRun run(String command, String... more) {
        var words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.addAll(List.of("--server", "http://localhost:" + server.port()));
        words.addAll(List.of(more));
        return CommandRun.of(Map.of("MILLRACE_API_KEY", key), words.toArray(String[]::new));
    }

    private static FlowScript saying(String text) {
        return FlowScript.webhook().returnJson("step_1", "{'says':'" + text + "'}");
    }

    private static SignedIn filled(String name) {
        var team = admin.inTeam(name);
        LiveFlow.publish(team, saying("one"));
        LiveFlow.publish(team, saying("two"));
        admin.api()
                .post(
                        "/v1/tables",
                        Json.object().put("projectId", team.projectId()).put("name", "Orders"));
        admin.api()
                .post(
                        "/v1/variables",
                        Json.object()
                                .put("projectId", team.projectId())
                                .put("name", "API_HOST")
                                .put("value", "top-secret.example.com"));
        return team;
    }

    private String exported(String name, String... more) {
        var file = files.resolve(name).toString();
        var words = new ArrayList<>(List.of("--to", file));
        words.addAll(List.of(more));
        var run = run("export", words.toArray(String[]::new));
        assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.OK);
        return file;
    }

    private static long flows(SignedIn project) {
        return server.count("select count(*) from flow where project_id = $1", project.projectId());
    }

    @Test
    void redecideComparesAVersionWithRecordedRuns() {
        // given
        var flow = LiveFlow.publish(admin.inTeam("History"), saying("one"));
        flow.run(Json.object());
        flow.run(Json.object());

        // when
        var same = run("redecide", "--flow", flow.id());
        flow.change(saying("two"));
        var changed = run("redecide", "--flow", flow.id(), "--sample", "1", "--json");
        var published = run("redecide", "--flow", flow.id(), "--version", "published");
        var missing = run("redecide", "--flow", "a".repeat(21));
        var wrong = run("redecide", "--flow", flow.id(), "--sample", "0");

        // then
        assertThat(same.status()).as(same.err()).isEqualTo(ExitStatus.OK);
        assertThat(same.out()).contains("2  SAME").contains("0 of 2 runs would take another branch");
        assertThat(changed.status()).as(changed.err()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(changed.json().at("/groups/0/kind").asText()).isEqualTo("OTHER_ANSWER");
        assertThat(changed.json().path("runs").asInt()).isEqualTo(1);
        assertThat(published.status()).isEqualTo(ExitStatus.OK);
        assertThat(missing.status()).isEqualTo(ExitStatus.DATA);
        assertThat(wrong.status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void projectGoesIntoAnother_andConflictsAreNamedBeforeAnythingIsChanged() throws IOException {
        // given
        var team = filled("Source");
        var other = admin.inTeam("Target");
        LiveFlow.publish(other, saying("own"));
        var file = exported("one", "--project", team.projectId());
        assertThat(Files.readString(Path.of(file), StandardCharsets.ISO_8859_1)).doesNotContain("top-secret");

        // when it is imported as a dry run, and then for real
        var dry = run("import", "--from", file, "--project", other.projectId(), "--dry-run", "--json");
        assertThat(flows(other)).isEqualTo(1);
        var done = run("import", "--from", file, "--project", other.projectId());

        // then it is added to the existing content
        assertThat(dry.status()).as(dry.err()).isEqualTo(ExitStatus.OK);
        assertThat(dry.json().at("/projects/0/items").findValuesAsText("action"))
                .hasSize(3)
                .containsOnly("CREATE");
        assertThat(dry.json().at("/projects/0/problems").findValuesAsText("key"))
                .containsExactly("API_HOST");
        assertThat(done.status()).as(done.err()).isEqualTo(ExitStatus.OK);
        assertThat(done.out()).contains("3 created, 0 changed, 0 deleted");
        assertThat(flows(other)).isEqualTo(3);

        // when a flow is changed there, and the file is imported again
        server.execute("""
                update flow_version set display_name = 'Changed here'
                where flow_id in (select id from flow where project_id = $1 and external_id in
                  (select external_id from flow where project_id = $2 order by created limit 1))
                """, other.projectId(), team.projectId());
        var refused = run("import", "--from", file, "--project", other.projectId());
        var tried = run("import", "--from", file, "--project", other.projectId(), "--dry-run", "--json");
        var kept = run("import", "--from", file, "--project", other.projectId(), "--keep", "--json");

        // then the conflict is reported, and the change stays
        assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
        assertThat(refused.out()).contains("! conflict: the flow").contains("exists and differs");
        assertThat(tried.status()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(tried.json().path("carriedOut").booleanValue()).isFalse();
        assertThat(kept.status()).as(kept.err()).isEqualTo(ExitStatus.OK);
        assertThat(kept.json().at("/projects/0/items")).isEmpty();
        assertThat(changedHere(other)).isPositive();

        // when the import is told to overwrite
        var overwritten = run("import", "--from", file, "--project", other.projectId(), "--overwrite");

        // then
        assertThat(overwritten.status()).as(overwritten.err()).isEqualTo(ExitStatus.OK);
        assertThat(run("import", "--from", file, "--project", other.projectId()).out())
                .contains("0 created, 0 changed, 0 deleted");
        assertThat(flows(other)).isEqualTo(3);
    }

    @Test
    void importIsRepeated_whileItsFlowsAreNotLive() {
        // given an imported flow whose publication has failed
        var team = admin.inTeam("Repeated");
        LiveFlow.publish(team, saying("one"));
        var other = admin.inTeam("Repeated there");
        var file = exported("repeated", "--project", team.projectId());
        run("import", "--from", file, "--project", other.projectId());
        server.execute("""
                insert into release_publication (flow_id, created, status, user_id, platform_id, failure)
                select id, now(), 'ENABLED', 'ada', 'platform', 'npm ended with 137' from flow where project_id = $1
                """, other.projectId());
        server.execute(
                "update flow set status = 'DISABLED', published_version_id = null where project_id = $1",
                other.projectId());

        // when
        var again = run("import", "--from", file, "--project", other.projectId());

        // then it is published
        assertThat(again.status()).as(again.out() + again.err()).isEqualTo(ExitStatus.OK);
        assertThat(again.out()).contains("0 created, 1 changed, 0 deleted").doesNotContain("conflict");
        assertThat(server.count(
                        "select count(*) from flow where project_id = $1 and status = 'ENABLED'", other.projectId()))
                .isEqualTo(1);

        // when a user has unpublished it
        server.execute(
                "update flow set status = 'DISABLED', published_version_id = null where project_id = $1",
                other.projectId());
        var refused = run("import", "--from", file, "--project", other.projectId());

        // then
        assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
    }

    /** An agent with a tool of others, run by a published flow, and one with restricted visibility. */
    private static String withAgentAndRecords(SignedIn team) {
        var request = Json.object()
                .put("projectId", team.projectId())
                .put("displayName", "Clerk")
                .put("description", "Answers.")
                .put("icon", "bot")
                .put("color", "BLUE");
        var tool = request.putObject("draft")
                .put("instructions", "You answer.")
                .putArray("tools")
                .addObject();
        tool.put("type", "MCP")
                .put("toolName", "house")
                .put("serverUrl", "https://mcp.example.com")
                .put("protocol", "http")
                .putObject("auth")
                .put("type", "access_token")
                .put("accessToken", "open-sesame");
        var agent = admin.api().post("/v1/agents", request);
        assertThat(agent.status()).as(agent.toString()).isEqualTo(201);
        admin.api().post("/v1/agents/" + agent.text("/id") + "/publish", Json.object());
        admin.api().post("/v1/agents", request.put("displayName", "Private").put("visibility", "RESTRICTED"));
        var step = Json.object().put("prompt", "Answer.").put("agentId", agent.text("/externalId"));
        LiveFlow.publish(
                team, FlowScript.webhook().piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", step));
        return agent.text("/externalId");
    }

    private static String table(SignedIn team) {
        var request = Json.object().put("projectId", team.projectId()).put("name", "Stock");
        var fields = request.putArray("fields");
        fields.addObject().put("name", "Item").put("type", "TEXT").put("externalId", "item");
        fields.addObject().put("name", "Pieces").put("type", "NUMBER").put("externalId", "pieces");
        var made = admin.api().post("/v1/tables", request);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        putRecords(made.text("/id"), 120);
        return made.text("/externalId");
    }

    /** Every second record lacks a number. */
    private static void putRecords(String tableId, int count) {
        var ids = new HashMap<String, String>();
        admin.api()
                .get("/v1/fields?tableId=" + tableId)
                .body()
                .forEach(field ->
                        ids.put(field.path("name").asText(), field.path("id").asText()));
        var records = Json.object().put("tableId", tableId);
        var rows = records.putArray("records");
        for (var row = 0; row < count; row++) {
            var cells = rows.addArray();
            cells.addObject().put("fieldId", ids.get("Item")).put("value", "bolt " + row);
            if (row % 2 == 0) {
                cells.addObject().put("fieldId", ids.get("Pieces")).put("value", String.valueOf(row));
            }
        }
        assertThat(admin.api().post("/v1/records", records).status()).isEqualTo(201);
    }

    private static String tableId(SignedIn project, String externalId) {
        return admin.api()
                .get("/v1/tables?projectId=" + project.projectId() + "&externalIds=" + externalId)
                .text("/data/0/id");
    }

    private static int runs(SignedIn project) {
        return admin.api()
                .get("/v1/flow-runs?projectId=" + project.projectId())
                .body()
                .path("data")
                .size();
    }

    @Test
    void agentsAndRecordsGoAlong_withoutSecretsAndWithoutStartingFlows() throws IOException {
        // given
        var team = admin.inTeam("With agents");
        var agent = withAgentAndRecords(team);
        var stock = table(team);
        LiveFlow.publish(
                team,
                FlowScript.trigger("@activepieces/piece-tables", "0.3.0", "newRecord", "{'table_id':'" + stock + "'}")
                        .map("step_1", "{'done':true}"));
        var bare = exported("bare", "--project", team.projectId());
        var full = exported("full", "--project", team.projectId(), "--records");
        var other = admin.inTeam("Gets agents");

        // when
        var dry = run("import", "--from", full, "--project", other.projectId(), "--dry-run", "--json");
        var done = run("import", "--from", full, "--project", other.projectId());

        // then the flow that runs the agent works there, and only the agent lacks its key
        assertThat(ExportArchive.read(Path.of(bare)).projects().getFirst().records())
                .isEmpty();
        assertThat(ExportArchive.read(Path.of(full)).projects().getFirst().agents())
                .hasSize(1);
        assertThat(dry.json().at("/projects/0/records").intValue()).isEqualTo(120);
        assertThat(done.status()).as(done.out() + done.err()).isEqualTo(ExitStatus.OK);
        assertThat(done.out())
                .contains("+ agent " + agent + " \"Clerk\"")
                .contains("! agent " + agent + ": its tool house has no key")
                .contains("120 records for new tables")
                .contains("4 created, 0 changed, 0 deleted");
        var made = admin.api().get("/v1/agents?projectId=" + other.projectId());
        assertThat(made.body().path("data")).hasSize(1);
        assertThat(made.text("/data/0/isPublished")).isEqualTo("true");
        assertThat(admin.api().get("/v1/agents/" + made.text("/data/0/id")).text("/draft/tools/0/serverUrl"))
                .isEqualTo("https://mcp.example.com");
        assertThat(server.count(
                        "select count(*) from flow where project_id = $1 and status = 'ENABLED'", other.projectId()))
                .isEqualTo(2);
        assertThat(values(other, stock)).isEqualTo(values(team, stock)).hasSize(120);
        assertThat(runs(other)).isZero();

        // when a new record is imported
        putRecords(tableId(other, stock), 1);

        // then the flow with the table's trigger runs for that one
        Waiting.until("the run of the new record", () -> runs(other) > 0);
        assertThat(runs(other)).isEqualTo(1);

        // when it is imported again, and once more with an agent that has changed meanwhile
        var again = run("import", "--from", full, "--project", other.projectId());
        admin.api().post("/v1/agents/" + made.text("/data/0/id"), Json.object().put("displayName", "Clerk of ours"));
        var refused = run("import", "--from", full, "--project", other.projectId());
        var overwritten = run("import", "--from", full, "--project", other.projectId(), "--overwrite");

        // then
        assertThat(again.status()).as(again.out() + again.err()).isEqualTo(ExitStatus.OK);
        assertThat(again.out())
                .contains("! table " + stock + ": already exists and keeps its records")
                .contains("0 created, 0 changed, 0 deleted");
        assertThat(values(other, stock)).hasSize(121);
        assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
        assertThat(refused.out()).contains("! conflict: the agent " + agent);
        assertThat(overwritten.status()).as(overwritten.err()).isEqualTo(ExitStatus.OK);
        assertThat(admin.api().get("/v1/agents/" + made.text("/data/0/id")).text("/displayName"))
                .isEqualTo("Clerk");
    }

    /** Records of a table in their order, each with its values by field name. */
    private static List<Map<String, String>> values(SignedIn project, String table) {
        return admin.api()
                .get("/v1/records?limit=200&tableId=" + tableId(project, table))
                .body()
                .path("data")
                .valueStream()
                .map(record -> {
                    var values = new HashMap<String, String>();
                    record.path("cells")
                            .forEach(cell -> values.put(
                                    cell.path("fieldName").asText(),
                                    cell.path("value").asText()));
                    return (Map<String, String>) values;
                })
                .toList();
    }

    private static long changedHere(SignedIn project) {
        return server.count(
                "select count(*) from flow_version v join flow f on f.id = v.flow_id"
                        + " where f.project_id = $1 and v.display_name = 'Changed here'",
                project.projectId());
    }

    @Test
    void platformGoesWhole_withProjectsThatAreMadeAnew_andTemplates() {
        // given
        var team = filled("Goes away");
        var template = admin.api().post("/v1/templates", template("Greeting"));
        assertThat(template.status()).as(template.body().toString()).isEqualTo(200);
        var file = exported("platform");
        admin.api().delete("/v1/projects/" + team.projectId());
        admin.api().delete("/v1/templates/" + template.text("/id"));

        // when
        var done = run("import", "--from", file, "--json");
        var again = run("import", "--from", file, "--json");

        // then
        assertThat(done.status()).as(done.out() + done.err()).isEqualTo(ExitStatus.OK);
        var made = project(done.json(), "Goes away");
        assertThat(made.path("isNew").booleanValue()).isTrue();
        assertThat(server.count(
                        "select count(*) from flow where project_id = $1 and status = 'ENABLED'",
                        made.path("projectId").asText()))
                .isEqualTo(2);
        assertThat(done.json().at("/templates/0/action").asText()).isEqualTo("CREATE");
        assertThat(again.status()).as(again.out() + again.err()).isEqualTo(ExitStatus.OK);
        assertThat(again.json().at("/templates/0/action").asText()).isEqualTo("KEEP");
        assertThat(project(again.json(), "Goes away").path("items")).isEmpty();

        // when the template has changed
        var present = admin.api().get("/v1/templates?type=CUSTOM").text("/data/0/id");
        admin.api().post("/v1/templates/" + present, Json.object().put("summary", "Another"));

        // then
        var refused = run("import", "--from", file);
        assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
        assertThat(refused.out()).contains("template \"Greeting\": conflict");
        assertThat(run("import", "--from", file, "--overwrite").status()).isEqualTo(ExitStatus.OK);
        assertThat(admin.api().get("/v1/templates?type=CUSTOM").text("/data/0/summary"))
                .isEqualTo("Says hello");
    }

    private static JsonNode project(JsonNode told, String name) {
        return told.path("projects")
                .valueStream()
                .filter(project -> project.path("displayName").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode template(String name) {
        var template = Json.object()
                .put("name", name)
                .put("type", "CUSTOM")
                .put("summary", "Says hello")
                .put("description", "A flow that says hello")
                .put("author", "Ada");
        template.putArray("categories");
        template.putArray("tags");
        template.putArray("flows");
        return template;
    }

    @Test
    void whatIsNoExport_andWordsThatContradict_areRefused() throws IOException {
        var text = Files.writeString(files.resolve("text"), "hello").toString();

        assertThat(run("import", "--from", text).status()).isEqualTo(ExitStatus.DATA);
        assertThat(run("import", "--from", text).err()).contains("is not an export, or is damaged");
        assertThat(run("import", "--from", text, "--keep", "--overwrite").status())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("export", "--to", text).err()).contains("already exists");
        assertThat(run("export", "--to", files.resolve("x").toString(), "--project", "x")
                        .status())
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void dataOfAPersonIsWrittenForItsOwner_andErased() throws IOException {
        // given
        var bob = server.signUp("bob@example.com", "Bob");
        var file = files.resolve("bob.json");

        // when
        var written = run("user data", "--user", bob.userId(), "--to", file.toString());
        var erased = run("user erase", "--user", bob.userId(), "--json");

        // then
        assertThat(written.status()).as(written.err()).isEqualTo(ExitStatus.OK);
        assertThat(Json.parse(Files.readAllBytes(file)).at("/account/0/email").asText())
                .isEqualTo("bob@example.com");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(erased.status()).as(erased.err()).isEqualTo(ExitStatus.OK);
        assertThat(erased.json().has("kept")).isTrue();
        assertThat(server.count("select count(*) from user_identity where email = $1", "bob@example.com"))
                .isZero();
        assertThat(run("user erase", "--user", bob.userId()).status()).isEqualTo(ExitStatus.DATA);
    }
}
