/**
 * Lifts steps of flows from one version of a piece to another, as draft edits (decision 0251).
 *
 * <p>Start reading at {@link io.millrace.authoring.upgrade.PieceUpgrades}; {@link io.millrace.authoring.upgrade.StepUpgrade}
 * says what a change of the piece means for a step. Publishes nothing: that is its author's decision.
 */
package io.millrace.authoring.upgrade;
