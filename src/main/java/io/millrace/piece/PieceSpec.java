package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Name, authentication and exact versions of a piece that this server provides.
 *
 * @param name package name, for example {@code @activepieces/piece-http}
 * @param versions exact versions, newest first, at least one
 * @param auth definition of the piece's authentication, a list where there are several, null when it has none
 */
public record PieceSpec(
        String name,
        String displayName,
        String description,
        String logoUrl,
        List<String> authors,
        List<String> categories,
        List<String> versions,
        JsonNode auth) {}
