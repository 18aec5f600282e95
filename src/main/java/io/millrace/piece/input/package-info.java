/**
 * Input of pieces: validates values, converts them to the types of their properties and fetches files.
 *
 * <p>Start reading at {@link io.millrace.piece.input.PropertyProcessor}.
 */
package io.millrace.piece.input;
