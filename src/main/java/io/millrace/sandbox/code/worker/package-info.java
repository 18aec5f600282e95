/**
 * The half of the code module that lives in a child process: reads calls from its standard input, runs them in GraalJS,
 * answers on its standard output.
 *
 * <p>Imports the JDK and the polyglot API only: the child holds no server class, no configuration and no secret. Start
 * reading at {@link io.millrace.sandbox.code.worker.WorkerMain}.
 */
package io.millrace.sandbox.code.worker;
