/**
 * Language models as pieces and agents see them: input is a conversation, output an answer with texts and tool calls
 * (contract agents 3, 4). Independent of providers: {@link io.millrace.piece.model.Models} is implemented by a higher
 * module. {@link io.millrace.piece.model.ToolSchema} normalizes every schema that leaves the server, and
 * {@link io.millrace.piece.model.StructuredAnswer} reads objects out of answers.
 */
package io.millrace.piece.model;
