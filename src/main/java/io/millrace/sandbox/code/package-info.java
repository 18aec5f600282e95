/**
 * User code of CODE steps: compiled once, run in worker processes under hard limits.
 *
 * <p>{@link io.millrace.sandbox.code.CodeCompiler} turns JavaScript or TypeScript into a {@link io.millrace.sandbox.code.CodeProgram};
 * {@link io.millrace.sandbox.code.CodeRunner} runs programs and expressions. Nothing a program does may reach a file, a process,
 * the network, another call or the server; time, memory, console and output end at their limits (decision 0003). Knows
 * neither flows nor runs; imports core and Vert.x core only. Start reading at CodeRunner.
 */
package io.millrace.sandbox.code;
