/**
 * Compilation of user code: JavaScript and TypeScript become a {@link io.millrace.sandbox.code.CodeProgram}, with esbuild in
 * an isolated process (decision 0003).
 *
 * <p>Start reading at {@link io.millrace.sandbox.code.compiler.CodeCompiler}. {@code Transpiler} runs esbuild, {@code
 * SourceImports} and {@code NodeNeeds} decide which engine a source needs, {@code ProgramCache} keeps compiled programs. Does
 * not execute programs.
 */
package io.millrace.sandbox.code.compiler;
