/**
 * The AI piece (contract agents 3): calls models and runs agents. Independent of providers and of the agent engine,
 * which higher modules implement.
 */
package io.millrace.piece.builtin.ai;
