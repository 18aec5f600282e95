/**
 * How long programs of users wait that have lately done harm to the processes they run in (decision 0294).
 *
 * <p>{@link io.millrace.sandbox.backoff.Backoff} is a table and a calculation: it is told how calls end and what time it is, and
 * says how long the next call waits. Who keeps calls waiting, and for which engine, is the pools' business.
 */
package io.millrace.sandbox.backoff;
