/**
 * Programs of CODE steps: which engine a source needs, its npm packages, and the finished program kept in the database
 * (decisions 0161 to 0163).
 *
 * <p>Start reading at {@link io.millrace.sandbox.program.CodePrograms}, which makes programs;
 * {@link io.millrace.sandbox.program.CodeEngines} runs them, in a worker or in Node.js. Knows neither flows nor runs.
 */
package io.millrace.sandbox.program;
