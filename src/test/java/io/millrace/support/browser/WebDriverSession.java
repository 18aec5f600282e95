package io.millrace.support.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import io.millrace.support.ProgramOutput;
import io.millrace.support.TestFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** One session with its own chromedriver, over HTTP as the W3C WebDriver standard says, with a temporary profile. */
final class WebDriverSession implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final Path profile;
    private final String session;

    private WebDriverSession(Process driver, Path profile, int port) {
        this.driver = driver;
        this.profile = profile;
        var root = "http://127.0.0.1:" + port + "/session";
        this.session = root + "/"
                + send("POST", root, capabilities(profile)).path("sessionId").asText();
    }

    /** True if this machine has chromedriver, and Chromium on the path or at CHROME_PATH. */
    static boolean isHere() {
        return find("chromedriver").isPresent() && Chromium.find().isPresent();
    }

    private static Optional<Path> find(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static WebDriverSession start() {
        try {
            var profile = Files.createTempDirectory("browser");
            var driver = new ProcessBuilder(find("chromedriver").orElseThrow().toString(), "--port=0")
                    .redirectErrorStream(true)
                    .start();
            return new WebDriverSession(driver, profile, Integer.parseInt(ProgramOutput.await(driver, PORT)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static ObjectNode capabilities(Path profile) {
        var body = Json.object();
        var options = body.putObject("capabilities").putObject("alwaysMatch").putObject("goog:chromeOptions");
        options.put("binary", Chromium.find().orElseThrow().toString());
        var arguments = options.putArray("args");
        List.of(
                        "--headless=new",
                        "--no-sandbox",
                        "--window-size=1440,900",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-dev-shm-usage",
                        Chromium.FEATURES_OFF,
                        "--user-data-dir=" + profile)
                .forEach(arguments::add);
        return body;
    }

    private JsonNode send(String method, String address, ObjectNode body) {
        var publisher = body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body));
        var request = HttpRequest.newBuilder(URI.create(address))
                .timeout(MachineSpeed.deadline(DEADLINE))
                .header("Content-Type", "application/json")
                .method(method, publisher);
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            var value = Json.parse(answer.body()).path("value");
            if (answer.statusCode() != 200) {
                throw new AssertionError(
                        method + " " + address + ": " + value.path("message").asText());
            }
            return value;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    JsonNode get(String path) {
        return send("GET", session + path, null);
    }

    void delete(String path) {
        send("DELETE", session + path, null);
    }

    JsonNode post(String path, ObjectNode body) {
        return send("POST", session + path, body);
    }

    /** A command of Chromium's own protocol. */
    void command(String name, ObjectNode parameters) {
        var body = Json.object().put("cmd", name);
        body.set("params", parameters);
        post("/goog/cdp/execute", body);
    }

    @Override
    public void close() {
        send("DELETE", session, null);
        driver.destroy();
        http.close();
        driver.onExit().join();
        TestFolder.remove(profile);
    }
}
