/**
 * Steps of an imported flow while they are written, and the entries of its report. Pure.
 *
 * <p>Start reading at {@link io.millrace.authoring.importer.n8n.step.StepSequence}.
 */
package io.millrace.authoring.importer.n8n.step;
