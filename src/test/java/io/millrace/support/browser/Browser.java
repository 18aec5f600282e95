package io.millrace.support.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Window of a headless Chromium, driven by the W3C WebDriver protocol, with separate cookies, storage and cache.
 *
 * <p>Screenshots are saved in the folder of the environment variable {@code MILLRACE_SCREENSHOTS}, if set.
 */
public final class Browser implements AutoCloseable {
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
    private static final String AXE = script();
    private static final int WIDE = ChromiumOptions.WIDTH;
    private static final int HALF = 960;
    private static final int PHONE = 390;
    private static final int NARROW = 360;
    private static final List<Integer> PICTURE_WIDTHS = List.of(WIDE, HALF, PHONE);
    private static final int HEIGHT = ChromiumOptions.HEIGHT;
    /** Error texts of WebDriver when the page has navigated during a script. */
    private static final List<String> GONE = List.of("unloaded", "navigation", "no such execution context");

    private static final int HELD_MS = 3_600_000;
    private static final int UNLIMITED = -1;

    private static final String MEDIA = "Emulation.setEmulatedMedia";
    private static final String STALE = "stale element reference";
    private static final String INTERCEPTED = "element click intercepted";

    private static final String SELECT_CONTENT = """
            const e = document.querySelector(arguments[0]);
            if (e && e.type !== 'file') {
              e.focus();
              e.isContentEditable ? document.execCommand('selectAll') : e.select?.();
            }
            """;

    private static final String HAS_MORE = """
            const e = document.querySelector(arguments[0]);
            return !!e && e.type !== 'file' && !!e.value && e.value !== arguments[1] && e.value.includes(arguments[1]);
            """;

    private static final List<String> SEVERE = List.of("serious", "critical");

    /** Rules of axe whose findings are always minor or moderate: checking them takes half of the time. */
    private static final String NEVER_SEVERE = "region heading-order page-has-heading-one empty-heading skip-link"
            + " landmark-banner-is-top-level landmark-complementary-is-top-level landmark-contentinfo-is-top-level"
            + " landmark-main-is-top-level landmark-no-duplicate-banner landmark-no-duplicate-contentinfo"
            + " landmark-no-duplicate-main landmark-one-main landmark-unique aria-allowed-role empty-table-header"
            + " image-redundant-alt presentation-role-conflict meta-viewport-large";

    private final WebDriverSession session;

    private Browser(WebDriverSession session) {
        this.session = session;
    }

    /** Starts a window with reduced motion: each frame of a transition costs processor time. */
    public static Browser start() {
        var browser = startWithMotion();
        var media = Json.object();
        reduceMotion(media.putArray("features"));
        browser.session.command(MEDIA, media);
        return browser;
    }

    /** Starts a window with the transitions and animations of the page, until {@link #look} stops them. */
    public static Browser startWithMotion() {
        return new Browser(WebDriverSession.start());
    }

    private static void reduceMotion(ArrayNode features) {
        features.addObject().put("name", "prefers-reduced-motion").put("value", "reduce");
    }

    /** Opens the console with an existing session: its token in the cookie of the console. */
    public void signIn(String url, ApiClient client) {
        // WebDriver sets cookies for the current page only: opens the smallest one.
        open(url + "/assets/logo-icon.svg");
        var body = Json.object();
        body.putObject("cookie")
                .put("name", "millrace_session")
                .put("value", client.token())
                .put("path", "/")
                .put("httpOnly", true)
                .put("sameSite", "Lax");
        session.post("/cookie", body);
        open(url + "/");
    }

    /** True if this machine has chromedriver, and Chromium on the path or at CHROME_PATH. */
    public static boolean isHere() {
        return BrowserProcess.isHere();
    }

    private static String script() {
        try (var stream = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public void open(String address) {
        session.post("/url", Json.object().put("url", address));
    }

    public String address() {
        return session.get("/url").asText();
    }

    /** Replaces the content of a field by typed text, after it is visible. */
    public void type(String selector, String text) {
        Waiting.until(selector + " has only the typed text", () -> typed(selector, text));
    }

    /**
     * Selects the content and types over it. The clear command of WebDriver fires no input event: a render between it
     * and the keys restores the content, and the keys append to it. Returns false in that case, or if the field was
     * replaced. A page may clear or format typed text.
     */
    private boolean typed(String selector, String text) {
        try {
            var element = seen(selector);
            run(SELECT_CONTENT, selector);
            session.post("/element/" + element + "/value", Json.object().put("text", text));
            return !hasMore(selector, text);
        } catch (AssertionError refused) {
            if (refused.getMessage().contains(STALE)) {
                return false;
            }
            throw refused;
        }
    }

    private boolean hasMore(String selector, String text) {
        try {
            return run(HAS_MORE, selector, text).asBoolean();
        } catch (AssertionError gone) {
            if (GONE.stream().anyMatch(gone.getMessage()::contains)) {
                return false;
            }
            throw gone;
        }
    }

    /** Clicks after the element is visible. */
    public void click(String selector) {
        Waiting.until(selector + " is clicked", () -> clicked(selector));
    }

    /**
     * Returns false if the element was replaced before the click by a render of its list, or if moving content covers
     * it.
     */
    private boolean clicked(String selector) {
        try {
            session.post("/element/" + seen(selector) + "/click", Json.object());
            return true;
        } catch (AssertionError refused) {
            if (refused.getMessage().contains(STALE) || refused.getMessage().contains(INTERCEPTED)) {
                return false;
            }
            throw refused;
        }
    }

    /** Value of a cookie of the current page, whether or not scripts may read it. */
    public String cookie(String name) {
        return session.get("/cookie/" + name).path("value").asText();
    }

    /** Deletes every cookie of the current page. */
    public void forget() {
        session.delete("/cookie");
    }

    /** Presses keys one after the other, at the focused element. A named key is a private character of WebDriver. */
    public void press(String keys) {
        var actions = Json.object();
        var source = actions.putArray("actions").addObject().put("type", "key").put("id", "keyboard");
        var presses = source.putArray("actions");
        keys.codePoints().mapToObj(Character::toString).forEach(key -> {
            presses.addObject().put("type", "keyDown").put("value", key);
            presses.addObject().put("type", "keyUp").put("value", key);
        });
        session.post("/actions", actions);
    }

    /** Presses a key while others are held. */
    public void pressWith(String held, String key) {
        var actions = Json.object();
        var source = actions.putArray("actions").addObject().put("type", "key").put("id", "keyboard");
        var presses = source.putArray("actions");
        held.codePoints()
                .forEach(each -> presses.addObject().put("type", "keyDown").put("value", Character.toString(each)));
        presses.addObject().put("type", "keyDown").put("value", key);
        presses.addObject().put("type", "keyUp").put("value", key);
        held.codePoints()
                .forEach(each -> presses.addObject().put("type", "keyUp").put("value", Character.toString(each)));
        session.post("/actions", actions);
    }

    /** Chooses an option of a combobox by typing its label. */
    public void choose(String combobox, String label) {
        click(combobox);
        press(label);
        awaitText(".combo-list [data-active=true]", label);
        press(Keyboard.ENTER);
        Waiting.until(
                label + " is chosen",
                () -> run(
                                "const e = document.querySelector(arguments[0]); return e.ariaExpanded === 'false' && e.value.includes(arguments[1])",
                                combobox,
                                label)
                        .asBoolean());
    }

    /** Chooses an option of a combobox by its value. */
    public void chooseValue(String combobox, String value) {
        click(combobox);
        click(".combo-list [data-option='" + value + "']");
    }

    /** Drags an element horizontally with the pointer. */
    public void drag(String selector, int pixels) {
        var actions = Json.object();
        var source =
                actions.putArray("actions").addObject().put("type", "pointer").put("id", "mouse");
        var moves = source.putArray("actions");
        var start = moves.addObject().put("type", "pointerMove").put("x", 0).put("y", 0);
        start.putObject("origin").put(ELEMENT, seen(selector));
        moves.addObject().put("type", "pointerDown").put("button", 0);
        moves.addObject()
                .put("type", "pointerMove")
                .put("origin", "pointer")
                .put("x", pixels)
                .put("y", 0);
        moves.addObject().put("type", "pointerUp").put("button", 0);
        session.post("/actions", actions);
    }

    /** Throttles the processor of the page by a factor; 1 removes the limit. */
    public void slowDown(int times) {
        session.command("Emulation.setCPUThrottlingRate", Json.object().put("rate", times));
    }

    /**
     * Limits the network of the page until {@link #unlimitNetwork}: delay of each response, and bits per second in both
     * directions.
     */
    public void limitNetwork(int delayMs, int downBitsPerSecond, int upBitsPerSecond) {
        emulateNetwork(delayMs, downBitsPerSecond / Byte.SIZE, upBitsPerSecond / Byte.SIZE);
    }

    /** Holds back every response to the page until {@link #unlimitNetwork}. */
    public void holdResponses() {
        emulateNetwork(HELD_MS, UNLIMITED, UNLIMITED);
    }

    public void unlimitNetwork() {
        emulateNetwork(0, UNLIMITED, UNLIMITED);
    }

    private void emulateNetwork(int delayMs, int downBytes, int upBytes) {
        session.command("Network.enable", Json.object());
        session.command(
                "Network.emulateNetworkConditions",
                Json.object()
                        .put("offline", false)
                        .put("latency", delayMs)
                        .put("downloadThroughput", downBytes)
                        .put("uploadThroughput", upBytes));
    }

    /** Empties the cache of files of this browser. */
    public void clearCache() {
        session.command("Network.clearBrowserCache", Json.object());
    }

    /** Executes a script in each page before the scripts of the page. */
    public void beforeEachPage(String script) {
        session.command("Page.enable", Json.object());
        session.command("Page.addScriptToEvaluateOnNewDocument", Json.object().put("source", script));
    }

    /** Nodes of the accessibility tree below an element, in order, as role and name: {@code button Add a step}. */
    public List<String> accessibleNodes(String selector) {
        var root = session.command("DOM.getDocument", Json.object().put("depth", 0))
                .at("/root/nodeId");
        var node = session.command(
                        "DOM.querySelector",
                        Json.object().put("nodeId", root.asInt()).put("selector", selector))
                .path("nodeId");
        return session.command("Accessibility.queryAXTree", Json.object().put("nodeId", node.asInt()))
                .path("nodes")
                .valueStream()
                .filter(each -> !each.path("ignored").asBoolean())
                .map(each -> (each.at("/role/value").asText() + " "
                                + each.at("/name/value").asText())
                        .strip())
                .toList();
    }

    /** Switches to the only frame of a page for all later commands. */
    public void enterFrame() {
        session.post("/frame", Json.object().put("id", 0));
    }

    /** Switches back from the frame to the page. */
    public void leaveFrame() {
        var top = Json.object();
        top.putNull("id");
        session.post("/frame", top);
    }

    /** Waits until the text of a visible element contains this. */
    public void awaitText(String selector, String text) {
        try {
            Waiting.until(
                    selector + " says " + text,
                    () -> holds("e && e.checkVisibility() && e.innerText.includes(arguments[1])", selector, text));
        } catch (AssertionError missing) {
            throw new AssertionError(missing.getMessage() + ", found " + textOf(selector), missing);
        }
    }

    private String textOf(String selector) {
        var script =
                "const e = document.querySelector(arguments[0]); return e && e.checkVisibility() ? e.innerText : ''";
        return run(script, selector).asText();
    }

    private String seen(String selector) {
        Waiting.until(selector + " is seen", () -> holds("e && e.checkVisibility()", selector));
        var body = Json.object().put("using", "css selector").put("value", selector);
        return session.post("/element", body).path(ELEMENT).asText();
    }

    /**
     * Returns true if a condition on an element {@code e} holds within a moment. The page polls: polling by WebDriver a
     * hundred times a second would occupy it with responses.
     */
    private boolean holds(String condition, String... arguments) {
        try {
            return run("""
                    const given = arguments;
                    const looks = 10;
                    return new Promise((tell) => {
                      const look = (left) => {
                        const holds = (function (e) { return !!(%s); })(document.querySelector(given[0]), given[1]);
                        return holds || left === 0 ? tell(holds) : setTimeout(look, 20, left - 1);
                      };
                      look(looks);
                    });
                    """.formatted(condition), arguments).asBoolean();
        } catch (AssertionError gone) {
            if (GONE.stream().anyMatch(gone.getMessage()::contains)) {
                return false;
            }
            throw gone;
        }
    }

    /** Result of a script with text arguments. */
    public JsonNode run(String script, String... texts) {
        var body = Json.object().put("script", script);
        var arguments = body.putArray("args");
        for (var text : texts) {
            arguments.add(text);
        }
        return session.post("/execute/sync", body);
    }

    /** Takes screenshots of the loaded page, and asserts that it is accessible. */
    public void inspect(String name) {
        assertThat(look(name)).as(name).isEmpty();
    }

    /** Takes the same screenshots, and returns the findings of axe. */
    public List<String> look(String name) {
        Waiting.until(
                name + " has nothing to wait for",
                () -> run("return !document.querySelector('.skeleton, [aria-busy=true], .progress-line')")
                        .asBoolean());
        shoot(name);
        return findings();
    }

    /**
     * Serious and critical findings of axe, by rule and element: on a wide light page, and on a narrow dark one. Empty
     * if the page is accessible.
     */
    private List<String> findings() {
        var found = new LinkedHashSet<String>();
        look(WIDE, "light");
        found.addAll(severe());
        look(NARROW, "dark");
        found.addAll(severe());
        lookAsUsual();
        return List.copyOf(found);
    }

    private List<String> severe() {
        if (!run("return typeof axe === 'object'").asBoolean()) {
            run(AXE + "; window.axe = axe || window.axe; return true");
        }
        var told = run(
                "const rules = Object.fromEntries(arguments[0].split(' ').map((rule) => [rule, { enabled: false }]));"
                        + "return axe.run(document, { resultTypes: ['violations'], preload: false, rules }).then((all) => all.violations)",
                NEVER_SEVERE);
        return told.valueStream()
                .filter(each -> SEVERE.contains(each.path("impact").asText()))
                .flatMap(each -> each.path("nodes")
                        .valueStream()
                        .map(node -> each.path("id").asText() + " " + node.path("target") + " "
                                + node.path("failureSummary").asText().replaceAll("\\s+", " ")))
                .toList();
    }

    /** Screenshots of the page in each width, light and dark. */
    public void shoot(String name) {
        var folder = System.getenv("MILLRACE_SCREENSHOTS");
        if (folder == null) {
            return;
        }
        for (var scheme : List.of("light", "dark")) {
            for (var width : PICTURE_WIDTHS) {
                shoot(Path.of(folder, name + "-" + width + "-" + scheme + ".png"), width, scheme);
            }
        }
        lookAsUsual();
    }

    private void shoot(Path file, int width, String scheme) {
        look(width, scheme);
        try {
            Files.createDirectories(file.getParent());
            Files.write(
                    file, Base64.getDecoder().decode(session.get("/screenshot").asText()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void look(int width, String scheme) {
        session.command(
                "Emulation.setDeviceMetricsOverride",
                Json.object()
                        .put("width", width)
                        .put("height", HEIGHT)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", width <= PHONE));
        var media = Json.object();
        var features = media.putArray("features");
        features.addObject().put("name", "prefers-color-scheme").put("value", scheme);
        // Ends transitions, so that a screenshot shows the final state.
        reduceMotion(features);
        session.command(MEDIA, media);
        run("return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen(true))))");
    }

    /** Performs an action at another page width. */
    public void inWidth(int width, Runnable action) {
        look(width, "light");
        try {
            action.run();
        } finally {
            lookAsUsual();
        }
    }

    private void lookAsUsual() {
        session.command("Emulation.clearDeviceMetricsOverride", Json.object());
    }

    @Override
    public void close() {
        session.close();
    }
}
