/**
 * Expressions of n8n: parsed, and rewritten as expressions of this server or as JavaScript for a generated code step. Pure.
 *
 * <p>Start reading at {@link io.millrace.authoring.importer.n8n.expression.ExpressionTranslator}.
 */
package io.millrace.authoring.importer.n8n.expression;
