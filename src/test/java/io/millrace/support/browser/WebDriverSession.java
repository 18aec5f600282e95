package io.millrace.support.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/** A WebDriver session with a separate window of the {@link BrowserProcess}. */
final class WebDriverSession implements AutoCloseable {
    private final BrowserProcess process;
    private final BrowserProcess.Window window;
    private final String session;

    private WebDriverSession(BrowserProcess process) {
        this.process = process;
        this.window = process.open();
        this.session = "/" + process.driver().start(Json.object().put("debuggerAddress", process.address()));
        post("/window", Json.object().put("handle", window.page()));
        // Only one window of a browser has the focus.
        command("Emulation.setFocusEmulationEnabled", Json.object().put("enabled", true));
    }

    static WebDriverSession start() {
        return new WebDriverSession(BrowserProcess.shared());
    }

    JsonNode get(String path) {
        return process.driver().send("GET", session + path, null);
    }

    void delete(String path) {
        process.driver().send("DELETE", session + path, null);
    }

    JsonNode post(String path, ObjectNode body) {
        return process.driver().send("POST", session + path, body);
    }

    /** Executes a command of the DevTools protocol; returns its result. */
    JsonNode command(String name, ObjectNode parameters) {
        var body = Json.object().put("cmd", name);
        body.set("params", parameters);
        return post("/goog/cdp/execute", body);
    }

    @Override
    public void close() {
        try {
            delete("");
        } finally {
            process.close(window);
        }
    }
}
