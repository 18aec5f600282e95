package io.millrace.integration.git;

import io.vertx.core.buffer.Buffer;

/**
 * A file of a project's folder in its repository.
 *
 * @param folder name of the folder under the project's
 * @param name with its extension
 */
public record RepositoryFile(String folder, String name, Buffer content) {}
