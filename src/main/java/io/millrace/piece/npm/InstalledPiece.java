package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * A package that is installed, as it is remembered.
 *
 * @param platformId whose it is; empty for an official piece, which everybody may use
 * @param metadata what the package said of itself, whole
 */
record InstalledPiece(
        String id,
        Instant created,
        Instant updated,
        Optional<String> platformId,
        PackageId packageId,
        PackageType packageType,
        String integrity,
        ObjectNode metadata) {
    private static final String OFFICIAL = "official";

    /** How the package came here. */
    enum PackageType {
        REGISTRY,
        ARCHIVE
    }

    /** Whose processes run it. */
    String group() {
        return platformId.orElse(OFFICIAL);
    }
}
