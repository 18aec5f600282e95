/**
 * Data conversion: mapping, numbers, CSV, JSON, XML, digests and ciphers, files and archives.
 *
 * <p>Start reading at {@code DataMapperPiece}.
 */
package io.millrace.piece.builtin.data;
