/**
 * Traces: the order and the causes of the work of a run, its steps and its calls, across systems.
 *
 * <p>Ids of spans are derived from their subjects (a run, a step and its attempt), so that the database stores nothing about
 * a trace and a run that another node continues stays in its trace (decision 0256). Start reading at
 * {@link io.millrace.base.trace.Tracer}. Sends nothing itself.
 */
package io.millrace.base.trace;
