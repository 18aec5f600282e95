package io.millrace.piece.file;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.Set;

/**
 * Request to upload a file under an id of the client's choice, without the bytes (contract flows-and-engine 20.4).
 *
 * @param size bytes that are announced; empty when they come as a stream
 * @param packed true for zstd data
 */
record UploadRequest(String fileId, FileType type, FileLabel label, Optional<Long> size, boolean packed) {
    private static final Set<String> TYPES =
            Set.of(FileType.FLOW_STEP_FILE.name(), FileType.FLOW_RUN_LOG.name(), FileType.FLOW_RUN_LOG_SLICE.name());

    /** Fails with INVALID_INPUT or UNSUPPORTED_MEDIA_TYPE. */
    static UploadRequest read(String fileId, MultiMap headers) {
        if (fileId == null || !Ids.isId(fileId)) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "params/id Invalid string: must match pattern /" + Ids.PATTERN.pattern() + "/");
        }
        var type = headers.get("x-ap-file-type");
        if (type == null || !TYPES.contains(type)) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "headers/x-ap-file-type expected FLOW_STEP_FILE, FLOW_RUN_LOG or FLOW_RUN_LOG_SLICE");
        }
        var label = FileLabel.of(headers.get("x-ap-file-name"), headers.get("Content-Type"));
        return new UploadRequest(
                fileId,
                FileType.valueOf(type),
                label,
                length(headers.get("Content-Length")),
                isPacked(headers.get("Content-Encoding")));
    }

    private static boolean isPacked(String encoding) {
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return false;
        }
        if (!encoding.equalsIgnoreCase("zstd")) {
            throw ApiException.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "headers/content-encoding expected zstd, or no encoding");
        }
        return true;
    }

    private static Optional<Long> length(String header) {
        try {
            return header == null ? Optional.empty() : Optional.of(Long.parseLong(header));
        } catch (NumberFormatException malformed) {
            throw ApiException.of(ErrorCode.INVALID_INPUT, "headers/content-length expected a number of bytes");
        }
    }
}
