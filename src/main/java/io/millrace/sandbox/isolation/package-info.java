/**
 * Isolation of processes that run untrusted code: kernel mechanisms that are applied to a program before it begins (decision 0098).
 *
 * <p>Start reading at {@link io.millrace.sandbox.isolation.Isolation}, which finds out what the kernel grants and builds commands
 * from it. Nothing here knows Node.js, workers or packages; the caller that starts a process lists the paths it may read, write and
 * run.
 */
package io.millrace.sandbox.isolation;
