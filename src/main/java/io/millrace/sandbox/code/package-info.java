/**
 * Terms of user code in CODE steps: programs, calls, limits and results, for the engines that compile and run it.
 *
 * <p>A program has no access to files, processes, the network, other calls or the server; time, memory, console and output
 * end at their limits (decision 0003). {@code code.compiler} makes programs, {@code code.pool} runs them in the processes of
 * {@code code.process}. Depends on neither flows nor runs. Start reading at {@link io.millrace.sandbox.code.CodeProgram}.
 */
package io.millrace.sandbox.code;
