package io.millrace.sandbox.expression.syntax;

/**
 * A name in an expression that is neither a global of the language nor a parameter: by the grammar, a step.
 *
 * @param start index of the name in the source
 * @param end index after it
 * @param shorthand true if it is a shorthand property of an object literal, both key and value
 */
public record Reference(String name, int start, int end, boolean shorthand) {}
