/** Tags that a platform puts on pieces. Start reading at {@link io.millrace.piece.tag.Tags}. */
package io.millrace.piece.tag;
