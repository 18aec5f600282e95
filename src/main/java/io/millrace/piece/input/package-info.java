/**
 * What a piece is given: values are checked and brought to the types of its properties, files are fetched.
 *
 * <p>Start reading at {@link io.millrace.piece.input.PropertyProcessor}.
 */
package io.millrace.piece.input;
