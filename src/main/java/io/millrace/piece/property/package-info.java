/**
 * The properties of steps: their types, their options, and how they are described to editors.
 *
 * <p>Start reading at {@link io.millrace.piece.property.Property}.
 */
package io.millrace.piece.property;
