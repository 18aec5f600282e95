/**
 * Decompression of Zstandard (RFC 8878) in a bounded stream, without native code (decision 0077).
 *
 * <p>Damaged input ends with an exception; reads and writes never exceed the limits. Start reading at
 * {@link io.millrace.piece.file.zstd.Zstd}.
 */
package io.millrace.piece.file.zstd;
