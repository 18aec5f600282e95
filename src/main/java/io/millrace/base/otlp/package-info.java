/**
 * Spans and log lines on their way to a collector: OTLP over HTTP, as JSON (decision 0256). Nobody waits for a collector; what
 * it does not take in time is dropped, and said.
 *
 * <p>Start reading at {@link io.millrace.base.otlp.OtlpExporter}. None of it is loaded where nothing is exported.
 */
package io.millrace.base.otlp;
