package io.millrace.support.browser;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command line options of a headless Chromium. */
final class ChromiumOptions {
    static final int WIDTH = 1440;
    static final int HEIGHT = 900;

    /**
     * Parts of the browser's user interface, each a page in a process that starts with every window, and a spare
     * process for the next page: a third of the processor time of a start.
     */
    private static final List<String> FEATURES_OFF = List.of(
            "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess");

    private ChromiumOptions() {}

    static List<String> of(Path profile) {
        var options = new ArrayList<>(List.of(
                "--headless=new",
                "--no-sandbox",
                "--window-size=" + WIDTH + "," + HEIGHT,
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--disable-features=" + String.join(",", FEATURES_OFF)));
        options.add("--user-data-dir=" + profile);
        return options;
    }
}
