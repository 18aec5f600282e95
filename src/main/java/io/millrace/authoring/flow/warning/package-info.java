/**
 * Warnings for the author of a flow: settings that can be published and probably do not do what was intended (decision 0406).
 *
 * <p>{@link io.millrace.authoring.flow.warning.FlowWarnings} applies one {@code WarningRule} after the other to a {@code
 * CheckedFlow}. A warning never blocks publishing; {@code PublishCheck} and {@code StepProblems} of the editor package do. Pure: no
 * Vert.x, no SQL, no clock, no randomness.
 */
package io.millrace.authoring.flow.warning;
