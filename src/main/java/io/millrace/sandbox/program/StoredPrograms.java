package io.millrace.sandbox.program;

import io.millrace.base.bus.BusRequest;
import io.millrace.sandbox.code.CodeProgram;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/** Requests of {@link CodePrograms} for the stored programs. {@link StoredProgramService} handles them. */
sealed interface StoredPrograms {
    /** Finds a stored program, without its lock. */
    record Find(ProgramKey key) implements StoredPrograms, BusRequest<Optional<StoredProgram>> {}

    record FindNativeFiles(ProgramKey key) implements StoredPrograms, BusRequest<Optional<Buffer>> {}

    record FindOfWorkers(int count) implements StoredPrograms, BusRequest<List<CodeProgram>> {}

    /** Stores a program unless there is one; returns the stored one. */
    record Keep(ProgramKey key, StoredProgram program) implements StoredPrograms, BusRequest<Optional<StoredProgram>> {}
}
