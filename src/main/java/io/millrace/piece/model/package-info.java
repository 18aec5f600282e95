/**
 * Language models as pieces and agents see them: a conversation goes in, an answer with texts and tool calls comes out
 * (contract agents 3, 4). Independent of providers: {@link io.millrace.piece.model.Models} is plugged in from above.
 * {@link io.millrace.piece.model.ToolSchema} normalises every schema that leaves the server, and
 * {@link io.millrace.piece.model.StructuredAnswer} reads objects out of answers.
 */
package io.millrace.piece.model;
