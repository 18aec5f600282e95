/**
 * Programs of CODE steps: selection of the engine, npm packages, and storage of the finished program in the database (decisions
 * 0161 and 0162).
 *
 * <p>Start reading at {@link io.millrace.sandbox.program.CodePrograms}, which makes programs; {@link
 * io.millrace.sandbox.program.CodeEngines} runs them, in the server, in a worker or in Node.js. Knows neither flows nor runs.
 */
package io.millrace.sandbox.program;
