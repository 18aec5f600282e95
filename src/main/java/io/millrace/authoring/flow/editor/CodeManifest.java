package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Optional;

/** The manifest of a code step: may name npm packages, none of which a run can load. */
final class CodeManifest {
    private static final int NAMES_SHOWN_MAX = 5;

    private CodeManifest() {}

    /** Why code with this manifest cannot run; empty when it can. */
    static Optional<String> problem(String packageJson) {
        if (packageJson.isBlank()) {
            return Optional.empty();
        }
        JsonNode manifest;
        try {
            manifest = Json.parse(packageJson);
        } catch (JsonProcessingException malformed) {
            return Optional.of("expected a JSON object, found text that is not JSON");
        }
        var dependencies = manifest.path("dependencies");
        if (!manifest.isObject() || !isObjectOrNothing(dependencies)) {
            return Optional.of("expected a JSON object whose dependencies are a JSON object");
        }
        return dependencies.isEmpty() ? Optional.empty() : Optional.of(unavailable(dependencies));
    }

    private static boolean isObjectOrNothing(JsonNode node) {
        return node.isObject() || node.isMissingNode() || node.isNull();
    }

    private static String unavailable(JsonNode dependencies) {
        var names = new ArrayList<String>();
        dependencies.fieldNames().forEachRemaining(names::add);
        var shown = String.join(", ", names.subList(0, Math.min(names.size(), NAMES_SHOWN_MAX)));
        return "expected no npm dependencies, which code steps cannot load in this release, found " + shown
                + (names.size() > NAMES_SHOWN_MAX ? " and others" : "");
    }
}
