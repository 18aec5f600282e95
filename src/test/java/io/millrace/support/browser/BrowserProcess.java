package io.millrace.support.browser;

import io.millrace.base.core.Json;
import io.millrace.support.ProgramOutput;
import io.millrace.support.TestFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One chromedriver with one Chromium for all tests of a JVM, started on first use and stopped with the JVM: a start
 * costs as much processor time as six windows. Each window has a separate browser context, whose cookies, storage,
 * permissions and cache end with it.
 */
final class BrowserProcess {
    /**
     * Window with an empty page.
     *
     * @param context its id in the DevTools protocol
     * @param page its id in both protocols
     */
    record Window(String context, String page) {}

    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    private static final String EMPTY = "about:blank";

    private static BrowserProcess shared;

    private final Process process;
    private final Path profile;
    private final WebDriverClient driver;
    private final String session;
    private final String address;
    private final DevTools devTools;

    private BrowserProcess(Process process, Path profile, int port) throws IOException {
        this.process = process;
        this.profile = profile;
        this.driver = new WebDriverClient(port);
        var options = Json.object().put("binary", Chromium.find().orElseThrow().toString());
        var arguments = options.putArray("args");
        ChromiumOptions.of(profile).forEach(arguments::add);
        this.session = driver.start(options);
        // Chromium writes its port and its path into this file.
        var lines = Files.readAllLines(profile.resolve("DevToolsActivePort"));
        this.address = "127.0.0.1:" + lines.getFirst();
        this.devTools = new DevTools("ws://" + address + lines.getLast());
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

    /** The process of this JVM; a new one if it has ended. */
    static synchronized BrowserProcess shared() {
        if (shared == null || !shared.devTools.isOpen()) {
            shared = start();
            Runtime.getRuntime().addShutdownHook(new Thread(shared::stop));
        }
        return shared;
    }

    private static BrowserProcess start() {
        try {
            var profile = Files.createTempDirectory("browser");
            var process = new ProcessBuilder(find("chromedriver").orElseThrow().toString(), "--port=0")
                    .redirectErrorStream(true)
                    .start();
            return new BrowserProcess(process, profile, Integer.parseInt(ProgramOutput.await(process, PORT)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    WebDriverClient driver() {
        return driver;
    }

    /** Host and port of the DevTools protocol. */
    String address() {
        return address;
    }

    Window open() {
        var context = devTools.send("Target.createBrowserContext", Json.object())
                .path("browserContextId")
                .asText();
        var wanted = Json.object()
                .put("url", EMPTY)
                .put("browserContextId", context)
                .put("newWindow", true)
                .put("width", ChromiumOptions.WIDTH)
                .put("height", ChromiumOptions.HEIGHT);
        return new Window(
                context,
                devTools.send("Target.createTarget", wanted).path("targetId").asText());
    }

    /** Closes the window and its context. */
    void close(Window window) {
        devTools.send("Target.disposeBrowserContext", Json.object().put("browserContextId", window.context()));
    }

    /** Closes Chromium, and kills remaining processes: a crashed browser answers no request. */
    private void stop() {
        var all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        devTools.close();
        try {
            driver.send("DELETE", "/" + session, null);
        } finally {
            driver.close();
            all.forEach(ProcessHandle::destroy);
            process.onExit().join();
            TestFolder.remove(profile);
        }
    }
}
