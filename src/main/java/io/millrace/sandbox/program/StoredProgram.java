package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeProgram;
import java.util.Optional;

/**
 * A program as it is kept.
 *
 * @param lock the package manager's own record of what it installed, with the integrity of each package
 * @param installMs how long the installation took; 0 when nothing was installed
 */
record StoredProgram(CodeProgram program, Optional<String> lock, long installMs) {}
