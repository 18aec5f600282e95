package io.millrace.integration.git;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Bounds of git operations.
 *
 * @param directory of the jails; belongs to this process alone
 * @param port that git servers listen on
 * @param timeout longest operation
 * @param bytesMax most that a remote may send in one operation, and most that the files of a project may hold
 */
public record GitSettings(Path directory, int port, Duration timeout, long bytesMax) {}
