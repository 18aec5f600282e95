/**
 * Content encodings of HTTP: gzip, deflate and Zstandard (RFC 8878, without native code, decision 0077), decompressed within a limit.
 *
 * <p>Damaged input ends with an exception; reads and writes never exceed the limits. Start reading at
 * {@link io.millrace.base.coding.ContentCoding}.
 */
package io.millrace.base.coding;
