/**
 * Upgrades steps of flows from one version of a piece to another, as draft edits (decision 0251).
 *
 * <p>Start reading at {@link io.millrace.authoring.upgrade.PieceUpgrades};
 * {@link io.millrace.authoring.upgrade.StepUpgrade} computes the effect on a step. Publication is left to the author.
 */
package io.millrace.authoring.upgrade;
