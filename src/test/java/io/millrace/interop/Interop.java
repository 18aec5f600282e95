package io.millrace.interop;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs of Node.js against a server of their own, one after the other: {@code Interop <folder> <program>...}. The
 * exit status is the number of programs that failed.
 */
public final class Interop {
    private static final int MINUTES_MAX = 15;

    /** The administrator as whom the programs sign in, and whose domain their providers speak for. */
    private static final String ADMINISTRATOR = "ada@mill.example";

    private static final String PASSWORD = "a long passphrase";

    private Interop() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var folder = Path.of(arguments[0]);
        var programs = Arrays.asList(arguments).subList(1, arguments.length);
        int failed;
        try (var server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.0/8"))) {
            prepare(server);
            failed = run(server, folder, programs);
        }
        System.exit(failed);
    }

    /** Marks the domain as verified in the database, because no name server has the record. */
    private static void prepare(TestServer server) {
        var body = ApiClient.signUpBody(ADMINISTRATOR, "Ada").put("password", PASSWORD);
        var session = server.anonymous().post("/v1/authentication/sign-up", body);
        server.anonymous()
                .with(session.text("/token"))
                .post(
                        "/v1/platforms/" + session.text("/platformId"),
                        Json.object().put("ssoDomain", "mill.example"));
        server.execute("""
                update platform set sso_domain_verification = sso_domain_verification || '{"status": "VERIFIED"}'
                """);
    }

    /** A database of the same PostgreSQL: the drivers of n8n for SQLite have to be compiled. */
    private static Map<String, String> databaseOfN8n() {
        var database = TestPostgres.emptyDatabase();
        return Map.of(
                "DB_TYPE",
                "postgresdb",
                "DB_POSTGRESDB_HOST",
                database.isSocket() ? "127.0.0.1" : database.host(),
                "DB_POSTGRESDB_PORT",
                String.valueOf(database.port()),
                "DB_POSTGRESDB_DATABASE",
                database.database(),
                "DB_POSTGRESDB_USER",
                database.user(),
                "DB_POSTGRESDB_PASSWORD",
                database.password());
    }

    private static int run(TestServer server, Path folder, List<String> programs)
            throws IOException, InterruptedException {
        var failed = 0;
        for (var program : programs) {
            var builder = new ProcessBuilder("node", program + ".mjs")
                    .directory(folder.toFile())
                    .inheritIO();
            builder.environment().put("MILLRACE_URL", "http://localhost:" + server.port());
            if (program.equals("n8n")) {
                builder.environment().putAll(databaseOfN8n());
            }
            var process = builder.start();
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
            if (process.waitFor() != 0) {
                failed++;
            }
        }
        return failed;
    }
}
