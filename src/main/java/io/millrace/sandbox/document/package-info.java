/**
 * Text extraction from untrusted documents. Formats that need a parser are read in a separate isolated process with hard limits on
 * memory and time: a decompression bomb ends only that process.
 *
 * <p>Start reading at {@link io.millrace.sandbox.document.DocumentTexts}; {@link io.millrace.sandbox.document.DocumentMain} is the
 * entry point of that process.
 */
package io.millrace.sandbox.document;
