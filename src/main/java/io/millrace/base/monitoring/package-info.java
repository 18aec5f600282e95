/**
 * What monitoring asks a server: whether it lives, whether calls should be sent to it, and its metrics; on the port of
 * the API and, from the first moment of the start until the last of the stop, on a port of its own (decision 0192).
 *
 * <p>Knows of nobody who is asked: the server brings the checks. Says no address, name or secret of anything. Start reading
 * at {@link io.millrace.base.monitoring.Readiness}.
 */
package io.millrace.base.monitoring;
