/**
 * Language models as pieces and agents see them: a conversation goes in, an answer with texts and tool calls comes out
 * (contract agents 3, 4). Knows no provider: {@link io.millrace.piece.model.Models} is plugged in from above.
 */
package io.millrace.piece.model;
