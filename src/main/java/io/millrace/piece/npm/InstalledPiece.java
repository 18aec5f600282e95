package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.row.Unprefixed;
import java.time.Instant;
import java.util.Optional;

/**
 * Database record of an installed package.
 *
 * @param platformId owner; empty for an official piece, which all platforms may use
 * @param metadata complete description from the package
 */
record InstalledPiece(
        String id,
        Instant created,
        Instant updated,
        Optional<String> platformId,
        @Unprefixed PackageId packageId,
        PackageType packageType,
        String integrity,
        ObjectNode metadata) {
    private static final String OFFICIAL = "official";

    enum PackageType {
        REGISTRY,
        ARCHIVE,
        /** An OpenAPI document: there is no package. */
        OPENAPI
    }

    /** Group whose processes run the package. */
    String group() {
        return platformId.orElse(OFFICIAL);
    }
}
