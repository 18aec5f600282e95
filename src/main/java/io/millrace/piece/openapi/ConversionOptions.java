package io.millrace.piece.openapi;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Options of a conversion.
 *
 * @param operations operation ids, or methods and paths such as {@code GET /pets}; empty for all
 * @param baseUrl address of the API; empty for the first server of the document
 * @param documentUrl address of the document, against which relative servers are resolved
 * @param serverVariables values of variables in server addresses; defaults of the document apply to the others
 */
public record ConversionOptions(
        Set<String> operations,
        Optional<Pagination> pagination,
        Optional<String> baseUrl,
        Optional<String> documentUrl,
        Map<String, String> serverVariables,
        int operationsMax,
        int propertiesMax) {
    public ConversionOptions {
        operations = Set.copyOf(operations);
        serverVariables = Map.copyOf(serverVariables);
    }
}
