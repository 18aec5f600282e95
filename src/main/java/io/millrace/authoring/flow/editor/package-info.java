/**
 * Edits of versions, and the check before publishing.
 *
 * <p>{@link io.millrace.authoring.flow.editor.FlowOperation} is an operation on a flow,
 * {@link io.millrace.authoring.flow.editor.FlowEditor} returns the next version. {@code FlowValidator} checks steps
 * against their pieces, {@code PublishCheck} rejects versions that could not run. Pure: no Vert.x, no SQL, no clock, no
 * randomness; independent of the storage of versions.
 */
package io.millrace.authoring.flow.editor;
