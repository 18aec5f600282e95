package io.millrace.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The description of the API: written by hand in {@code openapi.yaml}, served as JSON and as a page. Tests hold it
 * against routes and exchanges.
 */
public final class ApiDocument {
    private static final String SOURCE = "/openapi.yaml";
    private static final String STYLE = "/api-page.css";

    private ApiDocument() {}

    /** Reads the source; takes a while, so it belongs on a worker thread. */
    public static ObjectNode load() {
        try {
            return (ObjectNode) new YAMLMapper().readTree(resource(SOURCE));
        } catch (IOException malformed) {
            throw new UncheckedIOException("cannot read " + SOURCE, malformed);
        }
    }

    /** Style sheet of the page. */
    static String style() {
        return resource(STYLE);
    }

    private static String resource(String name) {
        try (var stream = ApiDocument.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing from this build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + name, unreadable);
        }
    }
}
