/**
 * The server process: the order of start and stop of its parts, their shared resources, and process-wide functions: log output,
 * signals, memory, the start cache.
 *
 * <p>Parts are made by {@link io.millrace.app.module.ServerModules}; this package deploys and undeploys them. Start reading at
 * {@link io.millrace.app.Server}.
 */
package io.millrace.app;
