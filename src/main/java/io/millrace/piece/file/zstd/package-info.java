/**
 * Decompression of Zstandard (RFC 8878) in a bounded stream, without native code (decision 0077).
 *
 * <p>Takes damaged input for what it is: it ends with an exception and never reads or writes beyond its limits. Start reading at
 * {@link io.millrace.piece.file.zstd.Zstd}.
 */
package io.millrace.piece.file.zstd;
