package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.ApiClient;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Accounts and the encryption key, changed in the database of a stopped server. */
@Slow(Slow.Reason.PROCESS)
final class AccountCommandsIT {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Path NO_FILE = Path.of("there-is-no-such-file");

    @Test
    void operatorMakesAccountsAndChangesPasswordsAndKeys_whileNoServerRuns() {
        try (var directory = DataDirectory.create()) {
            var settings = Map.of("AP_DATA_DIR", directory.path().toString());

            // given an empty data directory: no password can be reset, and the first account creates the platform
            assertThat(reset(settings, "ada@example.com", "correct horse").status())
                    .isEqualTo(ExitStatus.BAD_SETTING);
            var first = create(settings, "Ada@Example.com", "battery staple");
            assertThat(first.status()).as(first.err()).isEqualTo(ExitStatus.OK);
            assertThat(first.json().get("platformRole").textValue()).isEqualTo("ADMIN");
            assertThat(first.out() + first.err()).doesNotContain("battery");
            var second = create(settings, "bob@example.com", "battery staple");
            assertThat(second.json().get("platformRole").textValue()).isEqualTo("MEMBER");
            assertThat(second.json().get("platformId")).isEqualTo(first.json().get("platformId"));

            // when invalid changes are requested, then nothing changes
            assertThat(create(settings, "bob@example.com", "another one").err())
                    .contains("an account with this address exists");
            assertThat(create(settings, "carl@example.com", "short").err()).contains("password");
            assertThat(reset(settings, "nobody@example.com", "correct horse").status())
                    .isEqualTo(ExitStatus.DATA);

            // when the password and the key are changed
            assertThat(reset(settings, "ada@example.com", "correct horse").status())
                    .isEqualTo(ExitStatus.OK);
            var rotated = CommandRun.of(settings, "key", "rotate", "--json");
            assertThat(rotated.status()).as(rotated.err()).isEqualTo(ExitStatus.OK);
            assertThat(rotated.json().get("keptByServer").booleanValue()).isTrue();

            // then a server accepts them, and its data cannot be changed while it runs
            try (var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
                var api = server.api(START);
                assertThat(signIn(api, "battery staple")).isEqualTo(401);
                assertThat(signIn(api, "correct horse")).isEqualTo(200);
                var refused = reset(settings, "ada@example.com", "battery staple");
                assertThat(refused.status()).isEqualTo(ExitStatus.IN_USE);
                assertThat(refused.err()).contains("another server uses the data directory");
                assertThat(signIn(api, "correct horse")).isEqualTo(200);
            }
        }
    }

    @Test
    void externalDatabaseOfALiveServer_takesAccountsAndRefusesAnotherKey() {
        try (var server = TestServer.start();
                var directory = DataDirectory.create()) {
            var settings = Map.of(
                    "AP_POSTGRES_URL",
                    server.databaseUrl(),
                    "AP_DATA_DIR",
                    directory.path().toString(),
                    "AP_ENCRYPTION_KEY",
                    TestServer.ENCRYPTION_KEY,
                    "AP_JWT_SECRET",
                    TestServer.JWT_SECRET);

            var made = create(settings, "ada@example.com", "correct horse");
            var rotated = CommandRun.of(settings, "key", "rotate");

            assertThat(made.status()).as(made.err()).isEqualTo(ExitStatus.OK);
            assertThat(signIn(server.anonymous(), "correct horse")).isEqualTo(200);
            assertThat(rotated.status()).isEqualTo(ExitStatus.DATA);
            assertThat(rotated.err()).contains("servers use this database");
        }
    }

    @Test
    void reportsAnAbsentDatabase() {
        var port = FreePort.find().orElseThrow();
        var settings = Map.of("AP_POSTGRES_URL", "postgres://a:hidden@127.0.0.1:" + port + "/d");

        var run = reset(settings, "ada@example.com", "correct horse");

        assertThat(run.status()).isEqualTo(ExitStatus.UNAVAILABLE);
        assertThat(run.err()).contains("the database cannot be reached").doesNotContain("hidden");
    }

    private static CommandRun create(Map<String, String> settings, String email, String password) {
        return CommandRun.of(
                settings,
                NO_FILE,
                password + "\n",
                "user",
                "create",
                "--email",
                email,
                "--first-name=Ada",
                "--last-name=Miller",
                "--json");
    }

    private static CommandRun reset(Map<String, String> settings, String email, String password) {
        return CommandRun.of(settings, NO_FILE, password + "\n", "user", "reset-password", "--email", email);
    }

    private static int signIn(ApiClient api, String password) {
        return api.post(
                        "/v1/authentication/sign-in",
                        Json.object().put("email", "ada@example.com").put("password", password))
                .status();
    }
}
