package io.millrace.piece.file;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.row.Unprefixed;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests about files. Handled by {@link FileService}. */
public sealed interface FileMessages {
    /** A file with its bytes. */
    record Content(@Unprefixed StoredFile file, Buffer data) {}

    /**
     * Metadata of a file, and the location of its bytes.
     *
     * @param data the bytes; null when they are in the object storage
     * @param objectKey key in the object storage; empty for bytes in the database
     */
    record FileLocation(
            @Unprefixed StoredFile file, @Nullable Buffer data, Optional<String> objectKey) {}

    /**
     * Stores a file of a step and returns its download URL. Fails with BODY_TOO_LARGE, or with ENTITY_NOT_FOUND when
     * the project was deleted.
     *
     * @param stepName {@code trigger} for the files of an incoming event
     * @param contentType null when the writer does not know
     */
    record KeepStepFile(
            String projectId, String flowId, String stepName, String fileName, String contentType, Buffer data)
            implements FileMessages, BusRequest<String> {}

    /**
     * Reads the file at an address. Fails with INVALID_BEARER_TOKEN when the token is invalid, belongs to another file
     * or has expired, and with ENTITY_NOT_FOUND when the file was deleted.
     */
    record Read(FileAddress address) implements FileMessages, BusRequest<Content> {}

    /** Finds the file at an address without fetching bytes from the object storage. Fails as {@link Read} does. */
    record Find(FileAddress address) implements FileMessages, BusRequest<FileLocation> {}

    /**
     * Stores a slice of a run's log under an id chosen by the caller; idempotent by id. Fails with ENTITY_NOT_FOUND
     * when the project has gone.
     *
     * @param size bytes of the JSON text
     * @param data the text, perhaps {@link io.millrace.base.core.memory.CompressedText}
     */
    record KeepSlice(String fileId, String projectId, String runId, Instant expires, long size, Buffer data)
            implements FileMessages, BusRequest<Nothing> {}

    /** Returns the stored bytes of a slice; fails with ENTITY_NOT_FOUND when it was deleted. */
    record LoadSlice(String projectId, String fileId) implements FileMessages, BusRequest<Buffer> {}

    /** Fails with ENTITY_NOT_FOUND when a slice was deleted. */
    record RequireSlices(String projectId, List<String> fileIds) implements FileMessages, BusRequest<Nothing> {}

    /**
     * Stores a file under an id chosen by the client, or replaces an earlier upload to it; returns its download URL.
     * Fails with AUTHORIZATION when the id is not the writer's, and as {@link KeepStepFile} does.
     */
    record KeepUpload(String projectId, UploadRequest upload, Buffer data)
            implements FileMessages, BusRequest<String> {}

    /**
     * Prepares a direct upload to the object storage. Fails as {@link KeepUpload} does, and with INVALID_INPUT when its
     * size is not announced.
     */
    record PlaceUpload(String projectId, UploadRequest upload) implements FileMessages, BusRequest<UploadTarget> {}

    /**
     * Addresses for an upload.
     *
     * @param uploadUrl accepts the bytes; expires after some minutes
     */
    record UploadTarget(String uploadUrl, String readUrl) {}

    /**
     * A file of a project, for code that works for the project. Fails with AUTHORIZATION when it is another project's, and
     * with ENTITY_NOT_FOUND.
     */
    record FindOfProject(String projectId, String fileId) implements FileMessages, BusRequest<FileLocation> {}

    /** The bytes of a file of a project. Fails with ENTITY_NOT_FOUND, also when it is another project's. */
    record ReadOfProject(String projectId, String fileId) implements FileMessages, BusRequest<Content> {}

    /** Returns the number of removed files. */
    record RemoveExpired() implements FileMessages, BusRequest<Integer> {}
}
