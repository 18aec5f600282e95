/**
 * The AI piece (contract agents 3): asks models, and has agents work. Knows no provider and no engine of agents: both are
 * plugged in from above.
 */
package io.millrace.piece.builtin.ai;
