package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.CommandRun;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.Slow;
import io.millrace.support.TestServer.SignedIn;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flows as code: projects pulled into files, planned, applied and watched, by the command line and over HTTP. */
@Slow(Slow.Reason.PROCESS)
final class DefinitionIT extends OpenServer {
    private static final int FLOWS = 50;

    @TempDir
    private Path files;

    private SignedIn team;

    @BeforeEach
    void makeProject() {
        team = admin.inTeam("Team");
    }

    private CommandRun run(String command, SignedIn project, Path directory, String... more) {
        var key = admin.api().post("/v1/api-keys", Json.object().put("displayName", "ci"));
        var words = new ArrayList<>(List.of("project", command));
        words.addAll(List.of("--server", "http://localhost:" + server.port(), "--project", project.projectId()));
        if (directory != null) {
            words.addAll(List.of("--directory", directory.toString()));
        }
        words.addAll(List.of(more));
        return CommandRun.of(Map.of("MILLRACE_API_KEY", key.text("/value")), words.toArray(String[]::new));
    }

    private static FlowScript saying(String text) {
        return FlowScript.webhook()
                .map("step_1", "{'says':'" + text + "'}")
                .returnJson("step_2", "{'says':'" + text + "'}");
    }

    private static Map<String, String> contents(Path directory) throws IOException {
        var contents = new TreeMap<String, String>();
        try (var all = Files.walk(directory)) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                contents.put(directory.relativize(file).toString(), Files.readString(file));
            }
        }
        return contents;
    }

    private void fill(SignedIn project, int flows) {
        var folder = admin.api()
                .post(
                        "/v1/folders",
                        Json.object().put("projectId", project.projectId()).put("displayName", "By hand"));
        for (var number = 0; number < flows; number++) {
            var flow = LiveFlow.publish(project, saying("flow " + number));
            if (number == 0) {
                flow.operate(Json.object()
                        .put("type", "CHANGE_FOLDER")
                        .set("request", Json.object().put("folderId", folder.text("/id"))));
            }
        }
        admin.api()
                .post(
                        "/v1/variables",
                        Json.object()
                                .put("projectId", project.projectId())
                                .put("name", "API_HOST")
                                .put("value", "top-secret.example.com"));
        admin.api()
                .post(
                        "/v1/tables",
                        Json.object().put("projectId", project.projectId()).put("name", "Orders"));
    }

    private Answer api(SignedIn project, String path, JsonNode body) {
        return admin.api().post("/v1/projects/" + project.projectId() + "/definition" + path, body);
    }

    @Test
    void fiftyFlowsArePulledAppliedToAnotherProjectAndWatched() throws IOException {
        // given
        fill(team, FLOWS);
        var other = admin.inTeam("Other");
        var here = files.resolve("here");
        var there = files.resolve("there");

        // when pulled into files, and applied from files to another project
        assertThat(run("pull", team, here).status()).isEqualTo(ExitStatus.OK);
        var plan = run("plan", other, here, "--json").json();
        var applied =
                run("apply", other, here, "--revision", plan.path("revision").asText());
        var pulled = run("pull", other, there);

        // then
        var texts = contents(here);
        assertThat(texts.keySet().stream().filter(name -> name.startsWith("flows/")))
                .hasSize(FLOWS);
        assertThat(texts.keySet()).contains("project.json", "folders.json", "variables.json");
        assertThat(texts.values()).noneMatch(text -> text.contains("top-secret"));
        assertThat(plan.path("items").findValuesAsText("kind").stream().filter("FLOW"::equals))
                .hasSize(FLOWS);
        assertThat(plan.path("problems").findValuesAsText("key")).containsExactly("API_HOST");
        assertThat(applied.status()).as(applied.err()).isEqualTo(ExitStatus.OK);
        assertThat(applied.out()).contains("52 created, 0 changed, 0 deleted");
        assertThat(pulled.status()).isEqualTo(ExitStatus.OK);
        var copy = contents(there);
        assertThat(copy).containsOnlyKeys(texts.keySet());
        texts.remove("variables.json");
        copy.remove("variables.json");
        assertThat(copy).isEqualTo(texts);
        assertThat(server.count(
                        "select count(*) from audit_event where action = 'project.replaced' and project_id = $1",
                        other.projectId()))
                .isEqualTo(1);
        assertThat(server.count(
                        "select count(*) from flow where project_id = $1 and status = 'ENABLED'"
                                + " and published_version_id is not null",
                        other.projectId()))
                .isEqualTo(FLOWS);

        // when, then nothing is left to apply, nothing has drifted, and files are unchanged
        assertThat(run("plan", other, here).out()).endsWith("0 created, 0 changed, 0 deleted\n");
        assertThat(run("drift", other, null).status()).isEqualTo(ExitStatus.OK);
        assertThat(run("pull", team, here).out()).isEqualTo("0 files changed\n");

        // when a user edits a step
        var id = admin.api()
                .get("/v1/flows?limit=1&projectId=" + other.projectId())
                .text("/data/0/id");
        var before = admin.api().get("/v1/flows/" + id);
        var text = before.text("/version/trigger/nextAction/settings/input/mapping/says");
        var change = saying(text.isEmpty() ? "mended" : text + ", mended")
                .importOperation(before.text("/version/displayName"));
        admin.api().post("/v1/flows/" + id, change);
        var drift = run("drift", other, null);
        var again = run("apply", other, here);

        // then
        assertThat(drift.status()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(drift.out())
                .contains("~ flow ", "~ step_1 ", "~ step_2 ", "after trigger")
                .contains("0 created, 1 changed");
        assertThat(again.out()).contains("0 created, 1 changed, 0 deleted");
        assertThat(run("drift", other, null).status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void deletesOnlyWhatItMay_andOnlyWhereThePlanStillHolds() throws IOException {
        // given
        fill(team, 2);
        run("pull", team, files);
        var gone = contents(files).keySet().stream()
                .filter(name -> name.startsWith("flows/"))
                .findFirst()
                .orElseThrow();
        Files.move(files.resolve(gone), files.resolve("flows/mine.txt"));

        // when, then
        var refused = run("apply", team, files);
        assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
        assertThat(refused.err()).contains("allow deletion");
        var late = run("apply", team, files, "--allow-deletion", "--revision", "0".repeat(64));
        assertThat(late.err()).contains("has changed since the plan");
        assertThat(server.count("select count(*) from flow where project_id = $1", team.projectId()))
                .isEqualTo(2);

        // when, then
        var applied = run("apply", team, files, "--allow-deletion");
        assertThat(applied.out()).contains("- flow ").contains("0 created, 0 changed, 1 deleted");
    }

    @Test
    void statusConnectionAndFolderAreWhatTheFilesSay() {
        // given
        fill(team, 1);
        var read = admin.api().get("/v1/projects/" + team.projectId() + "/definition");
        var wanted = (ObjectNode) read.body().path("definition");
        var flow = (ObjectNode) wanted.at("/flows/0");
        assertThat(flow.path("folder").asText()).isEqualTo("By hand");
        flow.put("status", "DISABLED").remove("folder");

        // when
        var plan = api(team, "/plan", wanted);
        var applied = api(team, "/apply", wanted);

        // then
        assertThat(plan.body().at("/items/0/fields").findValuesAsText("path")).containsExactly("/status", "/folder");
        assertThat(applied.status()).as(applied.toString()).isEqualTo(200);
        assertThat(applied.body().path("items")).isEqualTo(plan.body().path("items"));
        var now = admin.api()
                .get("/v1/flows?projectId=" + team.projectId())
                .body()
                .at("/data/0");
        assertThat(now.path("status").asText()).isEqualTo("DISABLED");
        assertThat(now.path("folderId").isNull()).isTrue();
        assertThat(api(team, "/plan", wanted).body().path("items")).isEmpty();
    }

    @Test
    void refusesWhatIsNoDefinition_namingTheField() {
        var wanted = Json.object().put("formatVersion", 1);
        for (var list : List.of("tables", "folders", "connections", "variables")) {
            wanted.putArray(list);
        }
        wanted.putArray("flows")
                .addObject()
                .put("externalId", "a")
                .put("folder", "nowhere")
                .putObject("version");

        var refused = api(team, "/apply", wanted);
        var unknown = run("drift", team, null);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message")).contains("folder");
        assertThat(unknown.status()).isEqualTo(ExitStatus.DATA);
        assertThat(unknown.err()).contains("404");
        assertThat(CommandRun.of(Map.of(), "project", "plan", "--server", "ftp://x", "--project", team.projectId())
                        .status())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(CommandRun.of(
                                Map.of("MILLRACE_API_KEY", "sk-none"),
                                "project",
                                "drift",
                                "--server",
                                "http://localhost:" + server.port(),
                                "--project",
                                team.projectId())
                        .err())
                .contains("401");
    }

    @Test
    void filesAreOfThePublishedSchema() throws IOException {
        // given
        fill(team, 1);
        run("pull", team, files);
        var schema = new JsonObject(
                server.anonymous().get("/v1/schemas/flow.json").body().toString());
        var validator = Validator.create(
                JsonSchema.of(schema),
                new JsonSchemaOptions().setDraft(Draft.DRAFT202012).setBaseUri("https://millrace.example"));

        // when, then
        for (var file : contents(files).entrySet()) {
            if (file.getKey().startsWith("flows/")) {
                var flow = (ObjectNode) DeepJson.trusted(file.getValue().getBytes(StandardCharsets.UTF_8));
                assertThat(validator.validate(new JsonObject(flow.toString())).getValid())
                        .isTrue();
                ((ObjectNode) flow.at("/version/trigger")).put("type", "NONE");
                assertThat(validator.validate(new JsonObject(flow.toString())).getValid())
                        .isFalse();
            }
        }
    }

    @Test
    void planNamesTheFileThatIsRefused_inWords() throws IOException {
        // given two flows, the second file of which has a step of an unknown kind
        fill(team, 2);
        var here = files.resolve("broken");
        run("pull", team, here);
        Path broken;
        try (var flows = Files.list(here.resolve("flows"))) {
            broken = flows.sorted().toList().get(1);
        }
        Files.writeString(
                broken,
                Files.readString(broken)
                        .replaceFirst("\"type\" ?: ?\"CODE\"|\"type\" ?: ?\"PIECE\"", "\"type\": \"PYE\""));

        // when
        var plan = run("plan", team, here);
        var applied = run("apply", team, here);
        Files.writeString(broken, "{\"externalId\": ");
        var noJson = run("plan", team, here);

        // then
        for (var refused : List.of(plan, applied)) {
            assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
            assertThat(refused.err()).contains(broken.toString(), "VALIDATION)").doesNotContain("{", "body/flows");
        }
        assertThat(noJson.err()).contains(broken + " is not JSON", "line 1").doesNotContain("REDACTED");
    }

    @Test
    void applyNamesFlowsThatAreNotLive() throws IOException {
        // given a project with two released flows: one is pending, the publication of the other has failed
        fill(team, 2);
        var here = files.resolve("landed");
        run("pull", team, here);
        server.execute("""
            insert into release_publication (flow_id, created, status, user_id, platform_id, failure)
            select f.id, now() + interval '1 day', 'ENABLED', 'ada', 'platform',
              case when row_number() over (order by f.created) = 1 then 'npm packages cannot be installed' end
            from flow f where f.project_id = $1
            """, team.projectId());

        // when
        var applied = run("apply", team, here, "--no-wait");
        var json = run("apply", team, here, "--no-wait", "--json").json();
        var seen = admin.api().get("/v1/projects/" + team.projectId() + "/publications");

        // then
        assertThat(applied.status()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(applied.err()).contains("is not live: npm packages cannot be installed", "is being published");
        assertThat(json.at("/publications/failed")).hasSize(1);
        assertThat(seen.body().at("/pending")).hasSize(1);
        assertThat(seen.text("/failed/0/message")).isEqualTo("npm packages cannot be installed");

        // when the flows are published
        server.execute("delete from release_publication where user_id = 'ada'");
        var live = run("apply", team, here);

        // then
        assertThat(live.status()).as(live.err()).isEqualTo(ExitStatus.OK);
        assertThat(live.err()).isEmpty();
    }

    @Test
    void applyNamesAFlowWhoseTriggerCannotBeEnabled_andADraft() throws IOException {
        // given files of a flow that each server can publish, and none can enable
        var here = files.resolve("schedule");
        LiveFlow.publish(team, FlowScript.cron("0 * * * *", "UTC").map("step_1", "{'says':'hour'}"));
        run("pull", team, here);
        var other = admin.inTeam("Other");
        var file = onlyFile(here.resolve("flows"));
        Files.writeString(file, Files.readString(file).replace("\"0 * * * *\"", "\"61 * * * *\""));

        // when
        var applied = run("apply", other, here);

        // then
        assertThat(applied.status()).as(applied.out()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(applied.err())
                .contains("is not live: the trigger cannot be enabled: InvalidCronExpressionError: ", "61");

        // when the files define a draft
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("\"published\" : true", "\"published\" : false")
                        .replace("\"published\": true", "\"published\": false"));
        var draft = run("apply", other, here);

        // then
        assertThat(draft.status()).as(draft.err()).isEqualTo(ExitStatus.OK);
        assertThat(draft.err()).isEmpty();
    }

    /** A code step without code cannot run. */
    @Test
    void applyEndsWithAProblem_whenAFlowStaysADraft() throws IOException {
        // given
        var here = files.resolve("draft");
        LiveFlow.publish(team, saying("ready"));
        run("pull", team, here);
        var file = onlyFile(here.resolve("flows"));
        Files.writeString(file, Files.readString(file).replaceFirst("\"valid\" ?: true", "\"valid\" : false"));

        // when
        var applied = run("apply", admin.inTeam("Other"), here);

        // then
        assertThat(applied.out()).contains("! flow ").contains("the step is not valid");
        assertThat(applied.status()).isEqualTo(ExitStatus.PROBLEM);
    }

    private static Path onlyFile(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.toList().getFirst();
        }
    }
}
