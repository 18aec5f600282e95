package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any moment between two changes can be restored, even after kills of the server and of the restore. */
@Slow(Slow.Reason.FAULT)
final class PointInTimeIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    Path files;

    @Test
    void momentBetweenTwoChangesHasTheFirst_andNotTheSecond() throws IOException {
        var kept = files.resolve("kept");
        var key = Files.writeString(files.resolve("key"), KEY).toString();
        var settings = Map.of(
                "AP_BACKUP_AT",
                "03:00",
                "AP_BACKUP_TARGET",
                kept.toString(),
                "AP_BACKUP_KEY_FILE",
                key,
                "AP_BACKUP_WAL",
                "true");
        try (var source = DataDirectory.prepared();
                var target = DataDirectory.create()) {
            String token;
            Instant between;
            String segment;
            // given a server that archives its log, is killed, and is started again
            try (var server = ServerProcess.ofClasses(source.path(), settings)) {
                token = signUp(server.api(DEADLINE));
                Waiting.until(
                        "a copy is there",
                        DEADLINE,
                        () -> !ending(kept, ".base").isEmpty());
                server.kill();
                server.exitStatus(DEADLINE);
            }
            try (var server = ServerProcess.ofClasses(source.path(), settings)) {
                var api = server.api(DEADLINE).with(token);
                var usable = usableFrom(ending(kept, ".base").getFirst());
                Waiting.until(
                        "the second of the copy is over",
                        DEADLINE,
                        () -> now(source).isAfter(usable));
                makeProject(api, "first");
                between = now(source);
                makeProject(api, "second");
                segment = source.ask("select pg_walfile_name(pg_switch_wal())");
                // The next segment holds later changes, which prove that the moment is over.
                makeProject(api, "third");
                Waiting.until(
                        "the segment is kept",
                        DEADLINE,
                        () -> !ending(kept, segment + ".log").isEmpty());
                server.kill();
                server.exitStatus(DEADLINE);
            }
            assertThat(ending(kept, ".base")).hasSize(1);

            // when a restore to the moment is killed, and then repeated
            var words = List.of("restore", "--from", kept.toString(), "--key-file", key, "--at", between.toString());
            killedInTheMiddle(target, words);
            assertThat(target.path().resolve("postgres")).doesNotExist();
            var run = restore(target, words);

            // then the state is that of the moment
            assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.OK);
            assertThat(Instant.parse(run.json().path("lastChange").asText())).isBeforeOrEqualTo(between);
            try (var server = ServerProcess.ofClasses(target.path(), Map.of())) {
                var api = server.api(DEADLINE).with(token);
                assertThat(projects(api)).contains("first").doesNotContain("second", "third");
                makeProject(api, "another way");
            }

            // and moments that cannot be restored are refused with the reason
            try (var other = DataDirectory.create()) {
                var early = List.of(
                        "restore", "--from", kept.toString(), "--key-file", key, "--at", "2020-01-01T00:00:00Z");
                assertThat(restore(other, early).err()).contains("the first moment that can be restored is");
                var late = List.of(
                        "restore", "--from", kept.toString(), "--key-file", key, "--at", "2099-01-01T00:00:00Z");
                assertThat(restore(other, late).err()).contains("the log does not reach that moment");
                assertThat(other.path().resolve("postgres")).doesNotExist();
            }
        }
    }

    private static void killedInTheMiddle(DataDirectory target, List<String> words) {
        var command = ServerProcess.commandOfClasses("io.millrace.Millrace", List.of(), words);
        try (var process = ServerProcess.start(command, target.path(), Map.of())) {
            Waiting.until("the restore has begun", DEADLINE, () -> isBegun(target) || !process.isAlive());
            assertThat(isBegun(target)).as(process.output()).isTrue();
            process.kill();
            process.exitStatus(DEADLINE);
        }
    }

    private static boolean isBegun(DataDirectory target) {
        try (var begun = Files.newDirectoryStream(target.path(), "restore-*")) {
            return begun.iterator().hasNext();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static CommandRun restore(DataDirectory target, List<String> words) {
        var settings = new HashMap<String, String>();
        settings.put("AP_DATA_DIR", target.path().toString());
        var all = new ArrayList<>(words);
        all.add("--json");
        return CommandRun.of(settings, all.toArray(String[]::new));
    }

    private static String signUp(ApiClient api) {
        var session = api.post("/v1/authentication/sign-up", ApiClient.signUpBody("ada@example.com", "Ada"));
        assertThat(session.status()).isEqualTo(200);
        return session.text("/token");
    }

    private static void makeProject(ApiClient api, String name) {
        assertThat(api.post("/v1/projects", Json.object().put("displayName", name))
                        .status())
                .isEqualTo(201);
    }

    private static List<String> projects(ApiClient api) {
        return api.get("/v1/projects").body().path("data").findValuesAsText("displayName");
    }

    private static Instant now(DataDirectory directory) {
        return Instant.parse(directory.ask(
                "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
    }

    private static Instant usableFrom(Path base) {
        return Instant.parse(base.getFileName()
                .toString()
                .replaceFirst("base-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z-.*", "$1-$2-$3T$4:$5:$6Z"));
    }

    private static List<Path> ending(Path folder, String end) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var all = Files.walk(folder)) {
            return all.filter(path -> path.getFileName().toString().endsWith(end))
                    .toList();
        } catch (IOException | UncheckedIOException moving) {
            return List.of();
        }
    }
}
