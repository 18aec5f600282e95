package io.millrace.base.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Contents of a backup that was made, checked or restored.
 *
 * @param created moment whose state the backup holds
 * @param hasSecrets true if the secrets that the server keeps are in it
 */
public record BackupSummary(
        Path file,
        String release,
        String schemaVersion,
        Instant created,
        boolean isEncrypted,
        boolean hasSecrets,
        Counts counts) {
    public record Counts(int tables, long rows, long bytes) {}

    public ObjectNode toJson() {
        return Json.object()
                .put("file", file.toString())
                .put("release", release)
                .put("schemaVersion", schemaVersion)
                .put("created", created.toString())
                .put("encrypted", isEncrypted)
                .put("secrets", hasSecrets)
                .put("tables", counts.tables())
                .put("rows", counts.rows())
                .put("bytes", counts.bytes());
    }
}
