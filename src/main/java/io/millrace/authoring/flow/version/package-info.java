/**
 * A version of a flow: the tree of its steps, its notes, their parsing and serialization, and migration of older trees
 * to the current schema on import and on read.
 *
 * <p>Pure: no Vert.x, no SQL, no clock, no randomness. JSON trees held by the records are never altered after
 * construction; a caller that modifies one must copy it first. Start reading at
 * {@link io.millrace.authoring.flow.version.FlowVersion}; {@link io.millrace.authoring.flow.version.StepTree} is the
 * algebra of trees.
 */
package io.millrace.authoring.flow.version;
