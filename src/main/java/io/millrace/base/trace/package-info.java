/**
 * Traces: what a run, its steps and its calls did, one after the other and one because of the other, across systems.
 *
 * <p>Ids of spans are made of what they stand for (a run, a step and its attempt), so that nothing about a trace is kept in
 * the database and a run that is carried on by another node stays in its trace (decision 0256). Start reading at {@link
 * io.millrace.base.trace.Tracer}. Sends nothing itself.
 */
package io.millrace.base.trace;
