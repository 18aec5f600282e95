/**
 * Isolation of the processes that this server starts for others' code: the kernel's own means, put around a program
 * before it begins (decision 0098).
 *
 * <p>Start reading at {@link io.millrace.sandbox.isolation.Isolation}, which finds out what the kernel grants and makes commands
 * of it. Nothing here knows Node.js, workers or packages; who starts a process says what it may read, write and run.
 */
package io.millrace.sandbox.isolation;
