/**
 * Model of steps: kinds, common fields and settings.
 *
 * <p>Pure records; a step that holds others (loop, router) holds them as lists, so that a step has no reference to its
 * tree. JSON trees held by the records are never altered after construction. Start reading at
 * {@link io.millrace.authoring.flow.step.Step}.
 */
package io.millrace.authoring.flow.step;
