package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The description of the API: written by hand in {@code openapi/}, one part for each module, served as one document, as JSON
 * and as pages. Tests compare it with routes and exchanges.
 */
public final class ApiDocument {
    private static final String FOLDER = "/openapi/";
    private static final String SCRIPT = "/api-page.js";
    private static final String STYLE = "/api-page.css";

    private ApiDocument() {}

    /** Reads the parts in the order of the index; takes a while, so it belongs on a worker thread. */
    public static ObjectNode load() {
        var mapper = new YAMLMapper();
        var document = mapper.createObjectNode();
        resource(FOLDER + "index").lines().forEach(part -> {
            try {
                add(document, (ObjectNode) mapper.readTree(resource(FOLDER + part)), part);
            } catch (IOException malformed) {
                throw new UncheckedIOException("cannot read " + FOLDER + part, malformed);
            }
        });
        WriteOperations.describe(document);
        MergedSchemas.writeOut(document);
        return document;
    }

    /** Adds a part: parts complete each other and never replace entries of an earlier one. */
    private static void add(ObjectNode whole, ObjectNode part, String where) {
        part.properties().forEach(field -> {
            var before = whole.get(field.getKey());
            if (before == null) {
                whole.set(field.getKey(), field.getValue());
            } else if (before instanceof ObjectNode known && field.getValue() instanceof ObjectNode more) {
                add(known, more, where + "/" + field.getKey());
            } else {
                throw new IllegalStateException(where + "/" + field.getKey() + " is defined twice");
            }
        });
    }

    static String script() {
        return resource(SCRIPT);
    }

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
