package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/**
 * Manifest of a code step, which may list npm packages. Permission for the packages is checked when they are installed.
 */
final class CodeManifest {
    private CodeManifest() {}

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
        return Optional.empty();
    }

    private static boolean isObjectOrNothing(JsonNode node) {
        return node.isObject() || node.isMissingNode() || node.isNull();
    }
}
