package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Map;
import java.util.Optional;

/** Options of a web search as written by authors of flows (contract agents 4.5). */
final class SearchOptions {
    private static final Map<String, String> PLACES = Map.of(
            "userLocationCity", "city",
            "userLocationRegion", "region",
            "userLocationCountry", "country",
            "userLocationTimezone", "timezone");

    private SearchOptions() {}

    static Optional<ObjectNode> location(ObjectNode options) {
        var location = Json.object().put("type", "approximate");
        PLACES.forEach((option, field) -> {
            var value = options.path(option).asText("");
            if (!value.isBlank()) {
                location.put(field, value);
            }
        });
        return location.size() > 1 ? Optional.of(location) : Optional.empty();
    }

    /** Domains of a list of {@code {domain}}; empty for none. */
    static Optional<ArrayNode> domains(ObjectNode options, String name) {
        var domains = Json.array();
        options.path(name).forEach(entry -> {
            var domain = entry.path("domain").asText("");
            if (!domain.isBlank()) {
                domains.add(domain);
            }
        });
        return domains.isEmpty() ? Optional.empty() : Optional.of(domains);
    }
}
