/** Tags that a platform assigns to pieces. Start reading at {@link io.millrace.piece.tag.Tags}. */
package io.millrace.piece.tag;
