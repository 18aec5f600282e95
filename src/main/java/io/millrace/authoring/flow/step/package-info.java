/**
 * What a step is: its kinds, what all have in common, and how its settings look.
 *
 * <p>Pure records; a step that holds others (loop, router) holds them as lists, so that no step knows the tree that it is
 * part of. JSON trees held by the records are never altered after construction. Start reading at {@link
 * io.millrace.authoring.flow.step.Step}.
 */
package io.millrace.authoring.flow.step;
