package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeProgram;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A stored program.
 *
 * @param lock lock file of the package manager, with the integrity of each package
 * @param installMs duration of the installation in milliseconds; 0 if nothing was installed
 * @param nativeFiles packed native packages; empty if there are none or they were not requested
 */
record StoredProgram(CodeProgram program, Optional<String> lock, long installMs, Optional<Buffer> nativeFiles) {
    static StoredProgram plain(CodeProgram program) {
        return new StoredProgram(program, Optional.empty(), 0, Optional.empty());
    }
}
