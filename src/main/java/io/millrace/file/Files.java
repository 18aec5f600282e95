package io.millrace.file;

import io.millrace.bus.Request;
import io.vertx.core.buffer.Buffer;

/** What one may ask of files. Answered by {@link FileService}. */
public sealed interface Files {
    /** A file with its bytes. */
    record Content(StoredFile file, Buffer data) {}

    /**
     * Keeps a file of a step; answers the URL under which it can be read. Fails with BODY_TOO_LARGE, or with
     * ENTITY_NOT_FOUND when the project has gone.
     *
     * @param stepName {@code trigger} for the files of an incoming event
     * @param contentType null when the writer does not know
     */
    record KeepStepFile(
            String projectId, String flowId, String stepName, String fileName, String contentType, Buffer data)
            implements Files, Request<String> {}

    /**
     * Reads the file at an address. Fails with INVALID_BEARER_TOKEN when the token is not ours, is another file's or has
     * expired, and with ENTITY_NOT_FOUND when the file has gone.
     */
    record Read(FileAddress address) implements Files, Request<Content> {}

    /** Removes files whose time has come; answers how many. */
    record RemoveExpired() implements Files, Request<Integer> {}
}
