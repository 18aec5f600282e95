/**
 * HTTP routes of runs: lists, one run, its events as a stream, metrics of all; and actions on runs.
 *
 * <p>Start reading at {@link io.millrace.engine.run.query.RunRoutes}. {@code RunFilterReader} parses a query into a
 * filter, {@code RunSubscription} passes on the events that a subscriber may see. Has no SQL.
 */
package io.millrace.engine.run.query;
