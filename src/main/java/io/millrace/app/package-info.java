/**
 * The process: in which order its parts start and stop, what is shared by them, and what only a process has: log output,
 * signals, memory, the start cache.
 *
 * <p>Parts are made by {@link io.millrace.app.module.ServerModules}; this package deploys and undeploys them. Start reading
 * at {@link io.millrace.app.Server}.
 */
package io.millrace.app;
