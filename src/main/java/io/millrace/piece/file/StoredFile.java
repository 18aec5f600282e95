package io.millrace.piece.file;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * A kept file, without its bytes (contract flows-and-engine 20.1).
 *
 * @param expires when it is removed; empty for files that stay
 * @param fileName a bare name: no folder, no control character, never empty
 * @param contentType a media type that is safe in a header
 * @param metadata data for the module that owns the file
 */
public record StoredFile(
        String id,
        Instant created,
        Optional<Instant> expires,
        String projectId,
        FileType type,
        String fileName,
        String contentType,
        long size,
        ObjectNode metadata) {
    public StoredFile until(Instant end) {
        return new StoredFile(id, created, Optional.of(end), projectId, type, fileName, contentType, size, metadata);
    }

    public static StoredFile ofFlow(
            String id,
            Instant now,
            String projectId,
            FileType type,
            String fileName,
            String contentType,
            long size,
            ObjectNode metadata) {
        var label = FileLabel.of(fileName, contentType);
        return new StoredFile(
                id, now, Optional.empty(), projectId, type, label.fileName(), label.contentType(), size, metadata);
    }
}
