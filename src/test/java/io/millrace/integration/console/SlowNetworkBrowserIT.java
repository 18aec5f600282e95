package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The console on a slow network: an action is acknowledged before the server responds. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class SlowNetworkBrowserIT {
    private static final int FAST_3G_DELAY_MS = 562;
    private static final int FAST_3G_DOWN = 1_600_000;
    private static final int FAST_3G_UP = 750_000;
    private static final int MEASUREMENTS = 3;

    /** State of the page that a user can see: controls, dialogs, placeholders, and texts of states. */
    private static final String WATCH = """
            // A menu that closes does not show that its action has begun.
            const menus = document.querySelector('[role=menu]') ? [] : ['[role=menu]', '[aria-expanded=true]'];
            const state = () => [
              ...[...menus, '[aria-busy=true]', '.skeleton', 'dialog[open]', '.progress-line', '[data-step]', '.picker', '.step-panel', '.badge']
                .map((selector) => document.querySelectorAll(selector).length),
              ...[...document.querySelectorAll('[aria-checked=true], [aria-selected=true], [aria-current]')].map((e) => e.innerText),
              ...[...document.querySelectorAll('main h1, [role=status], [role=alert], .picker h2, .problem')].map((e) => e.innerText),
            ].join();
            const before = state();
            window.acknowledgedMs = undefined;
            const begin = (event) => {
              const began = performance.now();
              removeEventListener('click', begin, true);
              removeEventListener('input', begin, true);
              const look = () => {
                if (state() !== before) {
                  requestAnimationFrame(() => window.acknowledgedMs = performance.now() - began);
                } else {
                  requestAnimationFrame(look);
                }
              };
              requestAnimationFrame(look);
            };
            addEventListener('click', begin, true);
            addEventListener('input', begin, true);
            """;

    /** Records the time since the navigation at which a page first has its content. */
    private static final String USABLE = """
            const usable = '#password [type=submit], #ask [type=submit], #sign-up [type=submit], .table .row-link';
            const look = () => {
              if (document.querySelector(usable)) { window.usableMs = performance.now(); } else { requestAnimationFrame(look); }
            };
            requestAnimationFrame(look);
            """;

    @AutoClose
    private static CrmPiece crm = new CrmPiece();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"), List.of(crm));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada").inTeam("Slow network");
    private static String url = "http://localhost:" + server.port();
    private static LiveFlow flow;
    private static String runId;

    /** Action of a user on a page, after preparation without limits. */
    private record UserAction(String name, String path, Runnable prepare, Runnable act) {}

    @BeforeAll
    static void start() {
        flow = LiveFlow.publish(ada, webhook().map("step_1", "{'total':7}"));
        runId = flow.run(Json.object().put("amount", 42)).path("id").asText();
        LiveFlow.draft(ada, webhook().map("step_1", "{'total':7}"));
        browser.signIn(url, ada.api());
        browser.awaitText("main", "New flow");
    }

    private static void openFlow() {
        opens("/flows/"
                + LiveFlow.draft(ada, webhook().map("step_1", "{'total':7}")).id() + "?step=step_1");
        browser.awaitText(".step-panel", "Settings");
        Waiting.until("the flow is saved", () -> is("document.querySelector('[data-saving=saved]') !== null"));
    }

    private static void waitsForApproval() {
        LiveFlow.publish(ada, webhook().waitForApproval("step_1")).call(Json.object());
        opens("/approvals");
        browser.awaitText("[data-approval]", "step_1");
    }

    private static void connecting() {
        opens("/connections");
        browser.click(".page-head .primary");
        browser.click("[data-piece='" + CrmPiece.NAME + "']");
        browser.awaitText("dialog", "Connection name");
        browser.click("dialog select");
        browser.press("API key" + Keyboard.ENTER);
        browser.type("dialog .field input", "CRM by key");
        browser.type("dialog [name=secret_text]", "a key");
    }

    private static List<UserAction> actions() {
        var actions = new ArrayList<UserAction>();
        actions.add(onPage("open a flow", "/flows", () -> browser.click(".row-link")));
        actions.add(onPage("open a run", "/runs", () -> browser.click(".run-name a")));
        actions.add(onPage("switch to runs", "/flows", () -> browser.click(".areas a[href$='/runs']")));
        actions.add(onPage("switch to tables", "/flows", () -> browser.click(".areas a[href$='/tables']")));
        actions.add(onPage("switch to connections", "/flows", () -> browser.click(".areas a[href$='/connections']")));
        actions.add(onPage("switch to settings", "/flows", () -> browser.click(".areas a[href$='/settings']")));
        actions.add(onPage("switch to the platform", "/flows", () -> browser.click(".areas a[href$='/platform']")));
        actions.add(onPage("filter flows", "/flows", () -> choosesInSelect(".flows-tools .select select", "ENABLED")));
        actions.add(
                onPage("sort flows", "/flows", () -> choosesInSelect(".flows-tools .select + .select select", "name")));
        actions.add(onPage("search flows", "/flows", () -> browser.type(".flows-tools [type=search]", "Mill")));
        actions.add(onPage(
                "filter runs",
                "/runs",
                () -> browser.click(".tabs [role=tab]:nth-child(3), .segments button:nth-child(3)")));
        actions.add(onPage("turn a flow off", "/flows", () -> browser.click(".switch:not(:disabled)")));
        actions.add(onPage("open the menu of new flows", "/flows", () -> browser.click(".page-head .primary")));
        actions.add(prepared(
                "open a dialog",
                "/flows",
                () -> browser.click(".page-head .primary"),
                () -> browser.click(".menu [role=menuitem]:first-child")));
        actions.add(prepared(
                "create a flow",
                "/flows",
                () -> {
                    browser.click(".page-head .primary");
                    browser.click(".menu [role=menuitem]:first-child");
                    browser.type("dialog input", "Orders");
                },
                () -> browser.click("dialog .primary")));
        actions.add(prepared(
                "open the dialog of new projects",
                "/flows",
                () -> browser.click(".project-button"),
                () -> browser.click(".menu [role=group]:last-child [role=menuitem]")));
        actions.add(prepared(
                "duplicate a flow",
                "/flows",
                () -> browser.click(".table .icon-only[aria-haspopup=menu]"),
                () -> browser.click(".menu [role=menuitem]:nth-of-type(3)")));
        actions.add(in("open the step picker", SlowNetworkBrowserIT::openFlow, () -> browser.click(".plus.last")));
        actions.add(in(
                "choose a piece",
                () -> {
                    openFlow();
                    browser.click(".plus.last");
                    browser.click("[data-category=CORE]");
                },
                () -> browser.click("[data-entry='@activepieces/piece-math-helper']")));
        actions.add(in(
                "add a step",
                () -> {
                    openFlow();
                    browser.click(".plus.last");
                    browser.type(".picker input", "code");
                },
                () -> browser.click("[data-entry=code]")));
        actions.add(
                in("change a field", SlowNetworkBrowserIT::openFlow, () -> browser.type(".panel-name input", "Total")));
        actions.add(in("test a step", SlowNetworkBrowserIT::openFlow, () -> browser.click("[data-test-step]")));
        actions.add(in("test a flow", SlowNetworkBrowserIT::openFlow, () -> browser.click("[data-test-flow]")));
        actions.add(in("publish", SlowNetworkBrowserIT::openFlow, () -> browser.click("[data-publish]")));
        actions.add(
                in("create a connection", SlowNetworkBrowserIT::connecting, () -> browser.click("dialog .primary")));
        actions.add(prepared(
                "save settings",
                "/settings",
                () -> browser.type("[name=displayName]", "Slower network"),
                () -> browser.click(".settings-form [type=submit]")));
        actions.add(in("approve", SlowNetworkBrowserIT::waitsForApproval, () -> browser.click("[data-approve]")));
        actions.add(prepared(
                "retry a run",
                "/runs/" + runId,
                () -> browser.click("[data-retry]"),
                () -> browser.click(".menu [role=menuitem]:last-child")));
        actions.add(prepared(
                "choose a step of a run",
                "/runs/" + runId,
                () -> browser.awaitText(".run-facts", "Succeeded"),
                () -> browser.click("[data-key=step_1]")));
        return actions;
    }

    private static UserAction onPage(String name, String path, Runnable act) {
        return prepared(name, path, () -> {}, act);
    }

    private static UserAction prepared(String name, String path, Runnable prepare, Runnable act) {
        return new UserAction(
                name,
                path,
                () -> {
                    opens(path);
                    prepare.run();
                },
                act);
    }

    private static UserAction in(String name, Runnable prepare, Runnable act) {
        return new UserAction(name, "", prepare, act);
    }

    private static void opens(String path) {
        browser.open(url + "/projects/" + ada.projectId() + path);
        Waiting.until(
                path + " is shown",
                () -> is(
                        "!!document.querySelector('main h1, main .builder-head') && !document.querySelector('.skeleton, [aria-busy=true]')"));
    }

    private static void choosesInSelect(String selector, String value) {
        browser.run(
                "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
                        + " e.dispatchEvent(new Event('input', { bubbles: true })); e.dispatchEvent(new Event('change', { bubbles: true }));",
                selector,
                value);
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    @Test
    void acknowledgesEveryActionWhileTheServerDoesNotRespond() {
        for (var action : actions()) {
            // given
            action.prepare().run();
            browser.run(WATCH);

            // when
            browser.holdResponses();
            try {
                action.act().run();

                // then
                Waiting.until(action.name() + " is acknowledged", () -> is("window.acknowledgedMs !== undefined"));
            } finally {
                browser.unlimitNetwork();
                // Requests that were held back are not sent again by the next page.
                browser.open("about:blank");
            }
        }
    }

    @Test
    void theFirstRequestsAreSentBeforeTheScriptsHaveLoaded_andOnlyOnce() {
        // when
        opens("/flows");

        // then
        for (var path : List.of("/v1/flags", "/v1/users/me", "/v1/projects?", "/v1/project-members/role")) {
            assertThat(browser.run(
                                    "return performance.getEntriesByType('resource').filter((e) => e.name.includes('/api' + arguments[0])).length",
                                    path)
                            .asInt())
                    .as(path)
                    .isEqualTo(1);
        }
        assertThat(browser.run("return globalThis.earlyResponses instanceof Map && globalThis.earlyResponses.size")
                        .asText())
                .as("early responses that the console has not used")
                .isEqualTo("0");
    }

    /** Prints a table. Figures depend on the machine: none is asserted. */
    @Test
    @EnabledIfEnvironmentVariable(named = "MILLRACE_SLOW", matches = ".+")
    void measuresFast3g() {
        var lines = new ArrayList<String>();
        browser.beforeEachPage(USABLE);
        lines.add(pages("list of flows, empty cache", true, url + "/projects/" + ada.projectId() + "/flows"));
        lines.add(pages("list of flows, warm cache", false, url + "/projects/" + ada.projectId() + "/flows"));
        lines.add(pages("start page, warm cache", false, url + "/"));
        for (var action : actions()) {
            lines.add(measured(
                    action.name() + ", acknowledged",
                    _ -> {
                        action.prepare().run();
                        browser.run(WATCH);
                        fast3g();
                        action.act().run();
                        Waiting.until(action.name(), () -> is("window.acknowledgedMs !== undefined"));
                    },
                    "acknowledgedMs"));
        }
        browser.forget();
        lines.add(pages("sign-in, empty cache", true, url + "/sign-in"));
        lines.add(pages("sign-in, warm cache", false, url + "/sign-in"));
        System.out.println("Fast 3G: 1.6 Mbit/s down, 750 kbit/s up, 562 ms per response; " + MEASUREMENTS
                + " measurements each, fastest to slowest");
        lines.forEach(System.out::println);
    }

    private static void fast3g() {
        browser.limitNetwork(FAST_3G_DELAY_MS, FAST_3G_DOWN, FAST_3G_UP);
    }

    private static String pages(String name, boolean isEmpty, String address) {
        return measured(
                name,
                _ -> {
                    browser.open("about:blank");
                    if (isEmpty) {
                        browser.clearCache();
                    }
                    fast3g();
                    browser.open(address);
                    Waiting.until(name, () -> is("window.usableMs !== undefined"));
                },
                "usableMs");
    }

    private static String measured(String name, IntConsumer measurement, String result) {
        var times = new ArrayList<Double>();
        for (var turn = 0; turn < MEASUREMENTS; turn++) {
            measurement.accept(turn);
            times.add(browser.run("return window." + result).asDouble());
            browser.unlimitNetwork();
        }
        times.sort(null);
        return String.format(Locale.ROOT, "%-45s %6.0f to %6.0f ms", name, times.getFirst(), times.getLast());
    }
}
