package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.support.RecordedLog;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that authorize a caller by a segment of their path: no log line contains it. */
final class SecretLinksIT {
    private static final String ACCESS_LOG = "io.millrace.base.access";
    private static final String SECRET = "zYxWvUtSrQpOnMlKjIhGf";

    /** Parameters whose knowledge authorizes a caller. */
    private static final Pattern SECRETS = Pattern.compile(":(token|waitpointId|requestId|secret|code|state|key)\\b");

    @AutoClose
    private static TestServer server = start("text");

    private static TestServer start(String format) {
        return ServerSettings.openSignUp()
                .with("AP_LOG_SAMPLE_RATE_INFO", "100")
                .with("AP_LOG_FORMAT", format)
                .start();
    }

    private static List<String> pathsOf(TestServer of) {
        return of.routes().stream()
                .map(MountedRoute::path)
                .filter(path -> SECRETS.matcher(path).find())
                .distinct()
                .map(path -> SECRETS.matcher(path).replaceAll(SECRET).replaceAll(":\\w+", Ids.next()))
                .toList();
    }

    private static void assertMasked(TestServer of, String path) {
        try (var log = RecordedLog.of(ACCESS_LOG)) {
            of.anonymous().send("GET", path, Map.of(), "");
            Waiting.until("the request is logged", () -> !log.lines().isEmpty());

            assertThat(log.lines())
                    .as(path)
                    .allSatisfy(line -> assertThat(line).contains("/***").doesNotContain(SECRET));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void noLogLineOfARequestContainsTheSecretOfItsPath(String format) {
        try (var other = start(format)) {
            var paths = pathsOf(other);

            assertThat(paths).hasSizeGreaterThanOrEqualTo(6);
            paths.forEach(path -> assertMasked(other, path));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/approval/", "/waitpoints/", "/requests/"})
    void noLogLineOfAnUnknownPathBehindTheSecretContainsIt(String segment) {
        assertMasked(server, "/v1/flow-runs/" + Ids.next() + segment + SECRET + "/unknown");
    }
}
