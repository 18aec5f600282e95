/**
 * Texts of documents that strangers made. Formats that need a parser are read in a process of their own, isolated and under
 * hard limits on memory and time: a bomb ends its process and nothing else.
 *
 * <p>Start reading at {@link io.millrace.sandbox.document.DocumentTexts}; {@link io.millrace.sandbox.document.DocumentMain}
 * is what runs on the other side.
 */
package io.millrace.sandbox.document;
