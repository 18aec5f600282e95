/**
 * A version of a flow: the tree of its steps, its notes, how both are read and written, and how trees of earlier schemas
 * are brought to today's, on import and when they are read.
 *
 * <p>Pure: no Vert.x, no SQL, no clock, no randomness. JSON trees held by the records are never altered after
 * construction; whoever wants to change one copies it first. Start reading at {@link
 * io.millrace.authoring.flow.version.FlowVersion}; {@link io.millrace.authoring.flow.version.StepTree} is the algebra of
 * trees.
 */
package io.millrace.authoring.flow.version;
