/**
 * Code steps without effects as closures in the server: a proven subset of JavaScript whose results equal those of a worker byte for
 * byte (decision 0440). Not responsible for errors, console output and anything else outside of the subset: the step then runs in a
 * worker from its start, which is possible because it had no effect.
 *
 * <p>Start reading at {@link io.millrace.sandbox.expression.closure.CodeClosure}. {@code ClosureCompiler} compiles a module,
 * {@code ExactValues} holds the operators.
 */
package io.millrace.sandbox.expression.closure;
