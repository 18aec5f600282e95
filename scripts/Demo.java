import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The first steps of a newcomer, by the public API alone: wait until the server is healthy, make the first account,
 * import and publish a flow, call its webhook and print the answer. Run by scripts/demo with the server's own jar on the
 * class path, for its JSON library.
 */
final class Demo {
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String api;
    private String token = "";

    private Demo(String url) {
        this.api = url + "/api/v1";
    }

    /** Expects the file of the flow, and perhaps the process id of a server that is just starting. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var flow = JSON.readTree(Files.readString(Path.of(arguments[0])));
        var demo = new Demo(environment("MILLRACE_URL", "http://localhost:8080"));
        try {
            demo.awaitHealth(arguments.length > 1 ? Long.parseLong(arguments[1]) : ProcessHandle.current().pid());
            demo.play(flow);
        } catch (DemoFailed failed) {
            System.err.println("The demo stopped: " + failed.getMessage());
            System.exit(1);
        }
    }

    private void play(JsonNode flow) throws IOException, InterruptedException {
        var projectId = enter();
        var created = post("/flows", object().put("displayName", "Orders").put("projectId", projectId));
        var flowId = created.path("id").asText();
        post("/flows/" + flowId, operation("IMPORT_FLOW", flow));
        post("/flows/" + flowId, operation("LOCK_AND_PUBLISH", object()));
        say("A flow is published: " + flow.path("displayName").asText() + " (" + flowId + ")");

        var order = object().put("customer", "Ada").put("quantity", 3).put("price", 19.5);
        var webhook = "/webhooks/" + flowId + "/sync";
        var answer = post(webhook, order);
        say("");
        say("curl -X POST " + api + webhook + " -H 'content-type: application/json' -d '" + order + "'");
        say(answer.toString());
        say("");
        var runs = get("/flow-runs?limit=1&projectId=" + projectId);
        var run = runs.path("data").path(0);
        say("Its run " + run.path("id").asText() + " is " + run.path("status").asText() + " after "
                + run.path("stepsCount").asInt() + " piece steps, and recorded.");
    }

    /** Signs up, or in when the account was made before; answers the project to work in. */
    private String enter() throws IOException, InterruptedException {
        var email = environment("MILLRACE_DEMO_EMAIL", "demo@example.com");
        var password = environment("MILLRACE_DEMO_PASSWORD", "millrace-demo");
        var credentials = object().put("email", email).put("password", password);
        var newcomer = credentials
                .deepCopy()
                .put("firstName", "Demo")
                .put("lastName", "Miller")
                .put("trackEvents", false)
                .put("newsLetter", false);
        var response = send("POST", "/authentication/sign-up", newcomer);
        if (response.statusCode() / 100 == 2) {
            say("An account is made: " + email + " with the password " + password);
        } else {
            var refusal = response.body();
            response = send("POST", "/authentication/sign-in", credentials);
            if (response.statusCode() / 100 != 2) {
                throw new DemoFailed("this data directory belongs to another account than " + email + ". Set"
                        + " MILLRACE_DEMO_EMAIL and MILLRACE_DEMO_PASSWORD to one that exists, or AP_DATA_DIR to an"
                        + " empty directory. (Sign-up answered " + refusal + ", sign-in " + response.body() + ")");
            }
            say("Signed in as " + email);
        }
        var session = JSON.readTree(response.body());
        token = session.path("token").asText();
        return session.path("projectId").asText();
    }

    private void awaitHealth(long server) throws InterruptedException {
        var end = System.nanoTime() + START_PATIENCE.toNanos();
        while (!isHealthy()) {
            if (ProcessHandle.of(server).filter(ProcessHandle::isAlive).isEmpty()) {
                throw new DemoFailed("the server ended; its own message is above");
            }
            if (System.nanoTime() > end) {
                throw new DemoFailed("no healthy answer from " + api + "/health within " + START_PATIENCE.toSeconds()
                        + " s");
            }
            Thread.sleep(LOOK_AGAIN);
        }
    }

    private boolean isHealthy() throws InterruptedException {
        try {
            return send("GET", "/health", null).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return accepted("GET", path, send("GET", path, null));
    }

    private JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return accepted("POST", path, send("POST", path, body));
    }

    private static JsonNode accepted(String method, String path, HttpResponse<String> response) throws IOException {
        if (response.statusCode() / 100 != 2) {
            throw new DemoFailed(method + " " + path + " was answered " + response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }

    private HttpResponse<String> send(String method, String path, JsonNode body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(api + path))
                .timeout(Duration.ofSeconds(60))
                .header("content-type", "application/json")
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString()));
        if (!token.isEmpty()) {
            request.header("authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static ObjectNode operation(String type, JsonNode request) {
        return object().put("type", type).set("request", request);
    }

    private static ObjectNode object() {
        return JSON.createObjectNode();
    }

    private static String environment(String name, String otherwise) {
        var value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : value;
    }

    private static void say(String line) {
        System.out.println(line);
    }

    /** The demo cannot go on; the message tells a person why. */
    private static final class DemoFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DemoFailed(String message) {
            super(message);
        }
    }
}
