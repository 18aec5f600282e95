/**
 * User code of CODE steps: compiled once, run in worker processes under hard limits.
 *
 * <p>{@link io.millrace.sandbox.code.CodeCompiler} turns JavaScript or TypeScript into a {@link
 * io.millrace.sandbox.code.CodeProgram}; {@link io.millrace.sandbox.code.CodeRunner} runs programs and expressions. A program has
 * no access to files, processes, the network, other calls or the server; time, memory, console and output end at their limits
 * (decision 0003). Knows neither flows nor runs; imports core and Vert.x core only. Start reading at CodeRunner.
 */
package io.millrace.sandbox.code;
