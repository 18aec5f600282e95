package io.millrace.sandbox.program;

import io.millrace.base.bus.BusRequest;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** What {@link CodePrograms} asks of the programs in the database. Answered by {@link StoredProgramService}. */
sealed interface StoredPrograms {
    /** A program that was made before, without its lock. */
    record Find(ProgramKey key) implements StoredPrograms, BusRequest<Optional<StoredProgram>> {}

    /** What lies beside a program, packed. */
    record FindNativeFiles(ProgramKey key) implements StoredPrograms, BusRequest<Optional<Buffer>> {}

    /** Whether there is a program that workers run. */
    record AnyOfWorkers() implements StoredPrograms, BusRequest<Boolean> {}

    /** Keeps a program, unless there is one; answers the one that stays. */
    record Keep(ProgramKey key, StoredProgram program) implements StoredPrograms, BusRequest<Optional<StoredProgram>> {}
}
