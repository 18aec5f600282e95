package io.millrace.sandbox.program;

import io.millrace.base.bus.BusRequest;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Requests of {@link CodePrograms} for the stored programs. {@link StoredProgramService} handles them. */
sealed interface StoredPrograms {
    /** Finds a stored program, without its lock. */
    record Find(ProgramKey key) implements StoredPrograms, BusRequest<Optional<StoredProgram>> {}

    /** Finds the packed native packages of a program. */
    record FindNativeFiles(ProgramKey key) implements StoredPrograms, BusRequest<Optional<Buffer>> {}

    /** Asks if there is a program that workers run. */
    record AnyOfWorkers() implements StoredPrograms, BusRequest<Boolean> {}

    /** Stores a program unless there is one; returns the stored one. */
    record Keep(ProgramKey key, StoredProgram program) implements StoredPrograms, BusRequest<Optional<StoredProgram>> {}
}
