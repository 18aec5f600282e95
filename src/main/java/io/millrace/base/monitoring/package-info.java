/**
 * Endpoints for monitoring: liveness, readiness and metrics; on the port of the API and, from the first moment of the start
 * until the last of the stop, on a separate port (decision 0192).
 *
 * <p>The server supplies the checks. Responses contain no address, name or secret. Start reading at
 * {@link io.millrace.base.monitoring.Readiness}.
 */
package io.millrace.base.monitoring;
