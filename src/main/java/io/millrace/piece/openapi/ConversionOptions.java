package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Options of a conversion.
 *
 * @param operations operation ids, or methods and paths such as {@code GET /pets}; empty for all
 * @param baseUrl address of the API; empty for the first server of the document
 * @param documentUrl address of the document, against which relative servers are resolved
 * @param serverVariables values of variables in server addresses; defaults of the document apply to the others
 * @param connectionVariables variables in server addresses that each connection fills
 */
public record ConversionOptions(
        Set<String> operations,
        Optional<Pagination> pagination,
        Optional<String> baseUrl,
        Optional<String> documentUrl,
        Map<String, String> serverVariables,
        Set<String> connectionVariables,
        int operationsMax,
        int propertiesMax) {
    public ConversionOptions {
        operations = Set.copyOf(operations);
        serverVariables = Map.copyOf(serverVariables);
        connectionVariables = Set.copyOf(connectionVariables);
    }

    ObjectNode toJson() {
        var json = Json.object();
        baseUrl.ifPresent(url -> json.put("baseUrl", url));
        if (!serverVariables.isEmpty()) {
            var variables = json.putObject("serverVariables");
            new TreeMap<>(serverVariables).forEach(variables::put);
        }
        if (!connectionVariables.isEmpty()) {
            new TreeSet<>(connectionVariables).forEach(json.putArray("connectionVariables")::add);
        }
        pagination.ifPresent(pages -> json.set("pagination", pages.toJson()));
        return json;
    }
}
