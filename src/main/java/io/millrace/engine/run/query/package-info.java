/**
 * Runs as people see them: lists, one run, its events as they come, the figures of all; and what people ask of a
 * run.
 *
 * <p>Start reading at {@link io.millrace.engine.run.query.RunRoutes}. {@code RunFilterReader} makes a filter of a
 * query, {@code RunSubscription} hands on what a watcher may see. Has no SQL.
 */
package io.millrace.engine.run.query;
