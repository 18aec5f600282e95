package io.millrace.support.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ProgramOutput;
import io.millrace.support.TestFolder;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Page of a headless Chromium, driven by the DevTools protocol, so only the browser is needed: {@code CHROME_PATH}, or
 * the one on the path, with a temporary profile.
 */
public final class Chromium implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");

    private final Process process;
    private final Path profile;
    private final DevTools devTools;
    private final String session;

    private Chromium(Process process, Path profile, String address) {
        this.process = process;
        this.profile = profile;
        this.devTools = new DevTools(address);
        var target = devTools.send("Target.createTarget", Json.object().put("url", "about:blank"));
        var attach =
                Json.object().put("targetId", target.path("targetId").asText()).put("flatten", true);
        this.session =
                devTools.send("Target.attachToTarget", attach).path("sessionId").asText();
    }

    /** Path of the browser on this machine. */
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
            var command = new ArrayList<String>();
            command.add(find().orElseThrow().toString());
            command.addAll(ChromiumOptions.of(profile));
            command.add("--remote-debugging-port=0");
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            return new Chromium(process, profile, ProgramOutput.await(process, ADDRESS));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Opens an address, and waits until the page has loaded. */
    public void open(String address) {
        var gone = devTools.send(session, "Page.navigate", Json.object().put("url", address));
        if (gone.has("errorText")) {
            throw new AssertionError(address + ": " + gone.path("errorText").asText());
        }
        Waiting.until(
                address + " is loaded",
                () -> run("document.readyState + ' ' + location.href").asText().startsWith("complete http"));
    }

    /** Value of an expression; of a promise, its result. */
    public JsonNode run(String expression) {
        var request = Json.object()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true);
        var answer = devTools.send(session, "Runtime.evaluate", request);
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(answer.path("exceptionDetails").toString());
        }
        return answer.at("/result/value");
    }

    @Override
    public void close() {
        devTools.close();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().join();
        TestFolder.remove(profile);
    }
}
