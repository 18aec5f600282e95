package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiContract;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** No response of the API may be cached, above all none with a credential. The routes are those of the API document. */
final class NoStoreIT {
    private static final String MARK = "HomeMark";
    private static final Pattern CREDENTIAL = Pattern.compile(
            "(?i).*(token|secret|password|apikey|privatekey|credential|loginurl|redirecturl|assertion|^code$|^link$|^value$).*");
    private static final int DEPTH_MAX = 8;

    /** Routes whose response is endless or defined by an author, or that make outgoing calls. */
    private static final Set<String> NOT_CALLED =
            Set.of("POST /v1/pieces", "POST /v1/git-repos", "POST /v1/event-destinations/test");

    /** Pictures and files with their own cache rule, none of them with a credential. */
    private static final Pattern OWN_RULE = Pattern.compile("public, max-age=.*|private.*|no-cache");

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static Tenant tenant =
            Tenant.fill(server, server.signUp("ada@example.com", "Ada").inTeam(MARK), MARK);

    private final ApiContract contract = ApiContract.ofThisBuild();
    private final SampleRequests requests = new SampleRequests(contract);

    @Test
    void noAnswerWithACredentialMayBeStored() {
        var wrong = new ArrayList<String>();
        var called = new TreeSet<String>();
        for (var route : server.routes()) {
            var name = route.method() + " " + route.path();
            if (!carriesCredential(route) || isEndless(route) || NOT_CALLED.contains(name)) {
                continue;
            }

            // When
            var answer = ask(route, tenant.admin().api());

            // Then
            called.add(name);
            var headers = answer.headers();
            if (!headers.firstValue("Cache-Control").equals(Optional.of("no-store"))
                    || !headers.firstValue("Pragma").equals(Optional.of("no-cache"))) {
                wrong.add(name + " -> " + answer.status() + " " + headers.map());
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(called)
                .contains(
                        "POST /token",
                        "POST /register",
                        "POST /v1/authentication/sign-in",
                        "POST /v1/authentication/sign-up",
                        "POST /v1/authentication/otp/verify",
                        "POST /v1/api-keys",
                        "POST /v1/managed-authn/external-token",
                        "POST /v1/mcp/:projectId/rotate",
                        "POST /v1/event-destinations")
                .hasSizeGreaterThan(30);
    }

    @Test
    void everyOtherAnswerHasARuleToo() {
        var wrong = new ArrayList<String>();
        for (var route : server.routes()) {
            if (isEndless(route) || !route.method().equals("GET")) {
                continue;
            }
            var rule = ask(route, server.anonymous())
                    .headers()
                    .firstValue("Cache-Control")
                    .orElse("");
            if (!rule.startsWith("no-store") && !OWN_RULE.matcher(rule).matches()) {
                wrong.add(route.path() + " -> " + rule);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void credentialsThatAreReallyGivenMayNotBeStored() {
        // When
        var signedIn = server.anonymous()
                .post(
                        "/v1/authentication/sign-in",
                        Json.object().put("email", "ada@example.com").put("password", "correct horse"));
        var key = tenant.admin().api().post("/v1/api-keys", Json.object().put("displayName", "key"));
        var rotated = tenant.admin().api().post("/v1/mcp/" + tenant.projectId() + "/rotate", Json.object());

        // Then
        assertThat(signedIn.text("/token")).isNotBlank();
        assertThat(key.text("/value")).startsWith("sk-");
        assertThat(rotated.status()).isEqualTo(200);
        for (var answer : new ApiClient.Answer[] {signedIn, key, rotated}) {
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        }
    }

    private static boolean isEndless(MountedRoute route) {
        return route.path().endsWith("/events")
                || route.path().endsWith("/stream")
                || route.path().startsWith("/v1/webhooks")
                || route.path().startsWith("/socket.io")
                || route.path().contains("*");
    }

    private ApiClient.Answer ask(MountedRoute route, ApiClient api) {
        var path = requests.path(route, tenant) + requests.query(route, tenant);
        var body = requests.body(route, tenant);
        var client = SampleRequests.at(route, api);
        return body.isPresent()
                ? client.send(
                        SampleRequests.methodOf(route),
                        path,
                        Map.of("Content-Type", "application/json"),
                        Json.text(body.get()))
                : client.send(SampleRequests.methodOf(route), path, Map.of(), "");
    }

    private boolean carriesCredential(MountedRoute route) {
        if (route.access() instanceof Access.Unscoped && route.path().startsWith("/v1/ai/")) {
            return false;
        }
        for (var response : requests.operationOf(route).path("responses").properties()) {
            if (response.getKey().startsWith("2")) {
                for (var content : contract.resolved(response.getValue()).path("content")) {
                    if (names(content.path("schema"), 0, new HashSet<>())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean names(JsonNode reference, int depth, Set<JsonNode> seen) {
        var schema = contract.resolved(reference);
        if (depth > DEPTH_MAX || !seen.add(schema)) {
            return false;
        }
        for (var property : schema.path("properties").properties()) {
            if (CREDENTIAL.matcher(property.getKey()).matches() || names(property.getValue(), depth + 1, seen)) {
                return true;
            }
        }
        for (var kind : new String[] {"allOf", "oneOf", "anyOf"}) {
            for (var part : schema.path(kind)) {
                if (names(part, depth + 1, seen)) {
                    return true;
                }
            }
        }
        return schema.has("items") && names(schema.path("items"), depth + 1, seen);
    }
}
