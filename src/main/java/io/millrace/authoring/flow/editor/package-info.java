/**
 * How a version is edited, and when it may be published.
 *
 * <p>{@link io.millrace.authoring.flow.editor.FlowOperation} is what one may ask of a flow, {@link
 * io.millrace.authoring.flow.editor.FlowEditor} answers with the version that follows. {@code FlowValidator} judges steps by
 * the pieces they name, {@code PublishCheck} refuses what could not run. Pure: no Vert.x, no SQL, no clock, no randomness;
 * nothing here knows how versions are kept.
 */
package io.millrace.authoring.flow.editor;
