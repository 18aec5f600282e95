package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Messages about pieces from OpenAPI documents. Handled by {@link OpenApiPieceService}. */
public sealed interface OpenApiPieces {
    sealed interface Source {
        record Address(String url) implements Source {}

        record Text(String text) implements Source {}
    }

    /**
     * Converts a document and installs the piece, or reports what it would do. Fails with INVALID_INPUT when the document
     * cannot become a piece.
     *
     * @param dryRun true to install nothing
     * @param search text that listed operations must contain; empty for all
     */
    record Add(String platformId, Definition definition, boolean dryRun, Optional<String> search)
            implements OpenApiPieces, BusRequest<ConversionResult> {
        @Override
        public String toString() {
            return "Add[" + definition.name().orElse("") + "]";
        }
    }

    /**
     * Document and the choices of the caller.
     *
     * @param name short name; empty for one from the title of the API
     */
    record Definition(
            Source source,
            Optional<String> name,
            Optional<String> displayName,
            Set<String> operations,
            Optional<Pagination> pagination,
            Optional<String> baseUrl,
            Map<String, String> serverVariables,
            Set<String> connectionVariables) {}

    /**
     * Result of a conversion.
     *
     * @param created true if a version was installed
     */
    record ConversionResult(boolean created, ObjectNode report) {}
}
