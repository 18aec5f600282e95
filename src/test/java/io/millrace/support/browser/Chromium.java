package io.millrace.support.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import io.millrace.support.ProgramOutput;
import io.millrace.support.TestFolder;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One page of a headless Chromium, driven by its own DevTools protocol: nothing but the browser is needed. It is what
 * {@code CHROME_PATH} names, or stands on the path, and has a temporary profile.
 */
public final class Chromium implements AutoCloseable {
    /**
     * Parts of the browser's own interface, each a page in a process that starts with every window, and a process kept for the
     * next page: a third of the processor time of a start.
     */
    static final String FEATURES_OFF =
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
                    + "SpareRendererForSitePerProcess";

    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final String session;

    private Chromium(Process process, Path profile, String address) {
        this.process = process;
        this.profile = profile;
        this.socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Reader())
                .join();
        var target = send(null, "Target.createTarget", Json.object().put("url", "about:blank"));
        var attach =
                Json.object().put("targetId", target.path("targetId").asText()).put("flatten", true);
        this.session =
                send(null, "Target.attachToTarget", attach).path("sessionId").asText();
    }

    /** The browser of this machine. */
    public static Optional<Path> find() {
        var named = Stream.ofNullable(System.getenv("CHROME_PATH")).map(Path::of);
        var onPath = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> Stream.of("chromium", "google-chrome", "chromium-browser")
                        .map(program -> Path.of(folder, program)));
        return Stream.concat(named, onPath).filter(Files::isExecutable).findFirst();
    }

    public static Chromium start() {
        try {
            var profile = Files.createTempDirectory("chromium");
            var process = new ProcessBuilder(
                            find().orElseThrow().toString(),
                            "--headless=new",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--disable-dev-shm-usage",
                            FEATURES_OFF,
                            "--remote-debugging-port=0",
                            "--user-data-dir=" + profile)
                    .redirectErrorStream(true)
                    .start();
            return new Chromium(process, profile, ProgramOutput.await(process, ADDRESS));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Opens an address, and waits until the page has loaded. */
    public void open(String address) {
        var gone = send(session, "Page.navigate", Json.object().put("url", address));
        if (gone.has("errorText")) {
            throw new AssertionError(address + ": " + gone.path("errorText").asText());
        }
        Waiting.until(
                address + " is loaded",
                () -> run("document.readyState + ' ' + location.href").asText().startsWith("complete http"));
    }

    /** The value of an expression, or of what it promises. */
    public JsonNode run(String expression) {
        var wish = Json.object()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true);
        var answer = send(session, "Runtime.evaluate", wish);
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(answer.path("exceptionDetails").toString());
        }
        return answer.at("/result/value");
    }

    private JsonNode send(String to, String method, ObjectNode parameters) {
        var id = ids.incrementAndGet();
        var command = Json.object().put("id", id).put("method", method);
        command.set("params", parameters);
        if (to != null) {
            command.put("sessionId", to);
        }
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        socket.sendText(Json.text(command), true).join();
        var told = answer.orTimeout(MachineSpeed.deadline(DEADLINE).toSeconds(), TimeUnit.SECONDS)
                .join();
        if (told.has("error")) {
            throw new AssertionError(method + ": " + told.path("error"));
        }
        return told.path("result");
    }

    /** Answers arrive in any order, in pieces, and among unrelated events. */
    private final class Reader implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean last) {
            text.append(piece);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void take(String message) {
            try {
                var told = Json.parse(message.getBytes(StandardCharsets.UTF_8));
                var answer = answers.remove(told.path("id").asInt());
                if (answer != null) {
                    answer.complete(told);
                }
            } catch (JsonProcessingException malformed) {
                throw new AssertionError(malformed);
            }
        }
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().join();
        TestFolder.remove(profile);
    }
}
