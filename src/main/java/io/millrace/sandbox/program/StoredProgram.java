package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeProgram;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A program as it is kept.
 *
 * @param lock the package manager's own record of what it installed, with the integrity of each package
 * @param installMs how long the installation took; 0 when nothing was installed
 * @param nativeFiles what lies beside the program, packed; empty when nothing does, and when it was not asked for
 */
record StoredProgram(CodeProgram program, Optional<String> lock, long installMs, Optional<Buffer> nativeFiles) {
    /** A program without packages. */
    static StoredProgram plain(CodeProgram program) {
        return new StoredProgram(program, Optional.empty(), 0, Optional.empty());
    }
}
