/**
 * Export of spans and log lines to a collector: OTLP over HTTP, as JSON (decision 0256). Callers never wait for a collector;
 * data that it does not accept in time is dropped, which is logged.
 *
 * <p>Start reading at {@link io.millrace.base.otlp.OtlpExporter}. No class of it is loaded without an export.
 */
package io.millrace.base.otlp;
