package io.millrace.workspace.web;

import java.util.Arrays;
import java.util.Optional;

public enum WebTool {
    SEARCH("ap_web_search", "Web search", "query", "Searches the web. Returns titles, URLs and excerpts of pages."),
    SCRAPE("ap_scrape_url", "Read a page", "url", "Reads a web page as a browser renders it. Returns Markdown."),
    FETCH("ap_fetch_url", "Fetch an address", "url", "Fetches a URL and returns its text; for pages, without markup.");

    private final String word;
    private final String displayName;
    private final String parameter;
    private final String description;

    WebTool(String word, String displayName, String parameter, String description) {
        this.word = word;
        this.displayName = displayName;
        this.parameter = parameter;
        this.description = description;
    }

    public String word() {
        return word;
    }

    public String displayName() {
        return displayName;
    }

    public String parameter() {
        return parameter;
    }

    public String description() {
        return description;
    }

    public static Optional<WebTool> of(String word) {
        return Arrays.stream(values()).filter(tool -> tool.word.equals(word)).findFirst();
    }
}
