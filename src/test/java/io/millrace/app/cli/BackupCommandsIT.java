package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.ApiClient;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backup of a running server and restore to another: embedded to external and back, and rejected restores. */
@Slow(Slow.Reason.PROCESS)
final class BackupCommandsIT {
    private static final Duration START = Duration.ofMinutes(2);
    private static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    Path files;

    @Test
    void backupOfAServerThatWorks_goesFromEmbeddedToExternalAndBack() throws IOException {
        var key = Files.writeString(files.resolve("key"), KEY + "\n").toString();
        var first = files.resolve("first.backup").toString();
        var second = files.resolve("second.backup").toString();
        try (var source = DataDirectory.prepared();
                var middle = DataDirectory.create();
                var target = DataDirectory.create()) {
            // given a running server with an account, a sealed variable and an ended run
            String token;
            try (var server = ServerProcess.ofClasses(source.path(), Map.of())) {
                token = populate(server.api(START));

                // when it is backed up
                var made = backup(settings(source), first, key);

                assertThat(made.status()).as(made.err()).isEqualTo(ExitStatus.OK);
                assertThat(made.json().get("encrypted").booleanValue()).isTrue();
                assertThat(made.json().get("secrets").booleanValue()).isTrue();
            }
            assertThat(Files.readString(Path.of(first), StandardCharsets.ISO_8859_1))
                    .doesNotContain("ada@example.com", "contents.json");

            // and restored to an external database, backed up there, and restored to a directory
            var external = TestPostgres.emptyDatabase();
            var outside = new TreeMap<>(settings(middle));
            outside.put("AP_POSTGRES_URL", TestPostgres.url(external));
            assertOk(restore(outside, first, key));
            assertOk(backup(outside, second, key));
            assertOk(restore(settings(target), second, key));

            // then everything is there: rows, secrets, sessions
            assertThat(sums(second, key)).isEqualTo(sums(first, key));
            try (var server = ServerProcess.ofClasses(target.path(), Map.of())) {
                var api = server.api(START).with(token);
                assertThat(api.get("/v1/users/me").status()).isEqualTo(200);
                assertThat(variableOf(api)).isEqualTo("hunter2");
                assertThat(triggersThatAreOff(target))
                        .isEqualTo("run.project_event_begun, run.project_event_changed,"
                                + " ended_run.project_event_ended, run.run_begun, ended_run.run_ended");
            }
        }
    }

    @Test
    void restoreTakesEmptyPlacesOnly_andWholeFilesOnly() throws IOException {
        var key = Files.writeString(files.resolve("key"), KEY).toString();
        var otherKey = Files.writeString(files.resolve("other"), KEY.replace("00", "ff"))
                .toString();
        var file = files.resolve("a.backup");
        try (var source = DataDirectory.prepared();
                var target = DataDirectory.create()) {
            assertOk(CommandRun.createAda(settings(source)));
            assertOk(backup(settings(source), file.toString(), key));

            // A target in use
            assertThat(restore(settings(source), file.toString(), key).status()).isEqualTo(ExitStatus.DATA);
            var used = new TreeMap<>(settings(target));
            used.put("AP_POSTGRES_URL", TestPostgres.url(TestPostgres.freshDatabase()));
            assertThat(restore(used, file.toString(), key).err()).contains("the database is not empty");

            // A wrong key, no key, a truncated file, one with a changed byte
            assertThat(restore(settings(target), file.toString(), otherKey).err())
                    .contains("encrypted with another key, or is damaged");
            var without = CommandRun.of(settings(target), "restore", "--from", file.toString());
            assertThat(without.err()).contains("pass its key with --key-file");
            var bytes = Files.readAllBytes(file);
            for (var damaged : List.of(cutOff(bytes), changed(bytes))) {
                var path = Files.write(files.resolve("damaged"), damaged).toString();
                var run = restore(settings(target), path, key);
                assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.DATA);
            }

            // An existing file name
            assertThat(backup(settings(source), file.toString(), key).err()).contains("already exists");
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);

            // None of this has left a trace; then the target accepts the backup
            try (var left = Files.list(target.path())) {
                assertThat(left.map(Path::getFileName)
                                .map(Path::toString)
                                .filter(name -> !name.equals("server-secrets.json")))
                        .isEmpty();
            }
            assertOk(restore(settings(target), file.toString(), key));
        }
    }

    @Test
    void reportsAnUnavailableDatabase_andLeavesNoFile() throws IOException {
        var url = "postgres://a:hidden@127.0.0.1:" + FreePort.find().orElseThrow() + "/d";

        var run = CommandRun.of(
                Map.of("AP_POSTGRES_URL", url),
                "backup",
                "--to",
                files.resolve("a.backup").toString());

        assertThat(run.status()).isEqualTo(ExitStatus.UNAVAILABLE);
        assertThat(run.err()).contains("the database cannot be reached").doesNotContain("hidden");
        try (var left = Files.list(files)) {
            assertThat(left).isEmpty();
        }
    }

    private static byte[] cutOff(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length / 2);
    }

    private static byte[] changed(byte[] bytes) {
        var changed = bytes.clone();
        changed[bytes.length / 2] ^= 1;
        return changed;
    }

    private static Map<String, String> settings(DataDirectory directory) {
        return Map.of("AP_DATA_DIR", directory.path().toString());
    }

    private static CommandRun backup(Map<String, String> settings, String file, String key) {
        return CommandRun.of(settings, "backup", "--to", file, "--key-file", key, "--json");
    }

    private static CommandRun restore(Map<String, String> settings, String file, String key) {
        return CommandRun.of(settings, "restore", "--from", file, "--key-file", key, "--json");
    }

    private static void assertOk(CommandRun run) {
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.OK);
    }

    private static JsonNode sums(String file, String key) {
        var json = (ObjectNode) CommandRun.of(Map.of(), "backup", "verify", "--from", file, "--key-file", key, "--json")
                .json();
        return json.retain("rows", "tables", "schemaVersion");
    }

    private static String populate(ApiClient api) {
        var session = api.post("/v1/authentication/sign-up", ApiClient.signUpBody("ada@example.com", "Ada"))
                .body();
        var known = api.with(session.get("token").textValue());
        var variable = known.post(
                "/v1/variables",
                Json.object()
                        .put("name", "secret")
                        .put("value", "hunter2")
                        .put("projectId", session.get("projectId").textValue()));
        assertThat(variable.status()).as(variable.body().toString()).isBetween(200, 201);
        return session.get("token").textValue();
    }

    private static String variableOf(ApiClient api) {
        var projects = api.get("/v1/projects").body();
        var project = projects.at("/data/0/id").textValue();
        var listed = api.get("/v1/variables?projectId=" + project).body();
        var id = listed.at("/data/0/id").textValue();
        return api.post("/v1/variables/" + id + "/reveal", Json.object())
                .body()
                .path("value")
                .asText();
    }

    private static String triggersThatAreOff(DataDirectory directory) {
        return directory.ask(
                "select string_agg(tgrelid::regclass || '.' || tgname, ', ' order by tgname) from pg_trigger"
                        + " where tgenabled = 'D' and tgparentid = 0");
    }
}
