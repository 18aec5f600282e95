package io.millrace.app.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.support.CommandRun;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.TestServer.SignedIn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask a running server: projects and templates as one file, and what is kept of a person. */
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
    void projectGoesIntoAnother_andConflictsAreNamedBeforeAnythingIsChanged() throws IOException {
        // Given
        var team = filled("Source");
        var other = admin.inTeam("Target");
        LiveFlow.publish(other, saying("own"));
        var file = exported("one", "--project", team.projectId());
        assertThat(Files.readString(Path.of(file), StandardCharsets.ISO_8859_1)).doesNotContain("top-secret");

        // When it is tried, and then done
        var dry = run("import", "--from", file, "--project", other.projectId(), "--dry-run", "--json");
        assertThat(flows(other)).isEqualTo(1);
        var done = run("import", "--from", file, "--project", other.projectId());

        // Then it is beside what was there
        assertThat(dry.status()).as(dry.err()).isEqualTo(ExitStatus.OK);
        assertThat(dry.json().at("/projects/0/items").findValuesAsText("action"))
                .hasSize(3)
                .containsOnly("CREATE");
        assertThat(dry.json().at("/projects/0/problems").findValuesAsText("key"))
                .containsExactly("API_HOST");
        assertThat(done.status()).as(done.err()).isEqualTo(ExitStatus.OK);
        assertThat(done.out()).contains("3 created, 0 changed, 0 deleted");
        assertThat(flows(other)).isEqualTo(3);

        // When a flow is changed there, and the file comes again
        server.execute("""
                update flow_version set display_name = 'Changed here'
                where flow_id in (select id from flow where project_id = $1 and external_id in
                  (select external_id from flow where project_id = $2 order by created limit 1))
                """, other.projectId(), team.projectId());
        var refused = run("import", "--from", file, "--project", other.projectId());
        var tried = run("import", "--from", file, "--project", other.projectId(), "--dry-run", "--json");
        var kept = run("import", "--from", file, "--project", other.projectId(), "--keep", "--json");

        // Then it is named, and stays
        assertThat(refused.status()).isEqualTo(ExitStatus.DATA);
        assertThat(refused.out()).contains("! conflict: the flow").contains("is there and differs");
        assertThat(tried.status()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(tried.json().path("carriedOut").booleanValue()).isFalse();
        assertThat(kept.status()).as(kept.err()).isEqualTo(ExitStatus.OK);
        assertThat(kept.json().at("/projects/0/items")).isEmpty();
        assertThat(changedHere(other)).isPositive();

        // When it is decided otherwise
        var overwritten = run("import", "--from", file, "--project", other.projectId(), "--overwrite");

        // Then
        assertThat(overwritten.status()).as(overwritten.err()).isEqualTo(ExitStatus.OK);
        assertThat(run("import", "--from", file, "--project", other.projectId()).out())
                .contains("0 created, 0 changed, 0 deleted");
        assertThat(flows(other)).isEqualTo(3);
    }

    private static long changedHere(SignedIn project) {
        return server.count(
                "select count(*) from flow_version v join flow f on f.id = v.flow_id"
                        + " where f.project_id = $1 and v.display_name = 'Changed here'",
                project.projectId());
    }

    @Test
    void platformGoesWhole_withProjectsThatAreMadeAnew_andTemplates() {
        // Given
        var team = filled("Goes away");
        var template = admin.api().post("/v1/templates", template("Greeting"));
        assertThat(template.status()).as(template.body().toString()).isEqualTo(200);
        var file = exported("platform");
        admin.api().delete("/v1/projects/" + team.projectId());
        admin.api().delete("/v1/templates/" + template.text("/id"));

        // When
        var done = run("import", "--from", file, "--json");
        var again = run("import", "--from", file, "--json");

        // Then
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

        // When the template is another one
        var present = admin.api().get("/v1/templates?type=CUSTOM").text("/data/0/id");
        admin.api().post("/v1/templates/" + present, Json.object().put("summary", "Another"));

        // Then
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
        assertThat(run("import", "--from", text).err()).contains("is no export, or is damaged");
        assertThat(run("import", "--from", text, "--keep", "--overwrite").status())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("export", "--to", text).err()).contains("is there already");
        assertThat(run("export", "--to", files.resolve("x").toString(), "--project", "x")
                        .status())
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void dataOfAPersonIsWrittenForItsOwner_andErased() throws IOException {
        // Given
        var bob = server.signUp("bob@example.com", "Bob");
        var file = files.resolve("bob.json");

        // When
        var written = run("user data", "--user", bob.userId(), "--to", file.toString());
        var erased = run("user erase", "--user", bob.userId(), "--json");

        // Then
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
