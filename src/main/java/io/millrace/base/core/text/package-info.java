/**
 * Text and headers from peers: charsets, media types, header fields, XML, and text that is safe to show in a log.
 *
 * <p>Start reading at {@link io.millrace.base.core.text.ReceivedText}. Independent of HTTP.
 */
package io.millrace.base.core.text;
