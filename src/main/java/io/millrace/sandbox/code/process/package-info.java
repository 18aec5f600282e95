/**
 * One worker process: its start and start cache, the calls that it makes one after the other, and its end.
 *
 * <p>Start reading at {@link io.millrace.sandbox.code.process.WorkerProcess}. {@code WorkerStart} starts a process by the
 * command of {@code WorkerCommand}, {@code WorkerArchive} trains the start cache, {@code Watchdog} kills processes that outlive
 * the server. A {@code PendingCall} is a call until its result. Does not decide which call runs next.
 */
package io.millrace.sandbox.code.process;
