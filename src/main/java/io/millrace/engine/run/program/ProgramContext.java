package io.millrace.engine.run.program;

import io.millrace.base.core.Json;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.step.PureContext;
import io.millrace.engine.run.step.RunContext;
import io.millrace.piece.input.FileFetcher;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import java.util.Optional;

/** Context of a step in a program. Refuses values that a program does not record: tags and console output. */
final class ProgramContext extends PureContext implements RunContext, FileFetcher {
    private final RunWrite.RunHeader header;

    ProgramContext(RunWrite.RunHeader header, String stepName) {
        super(stepName, Json.object());
        this.header = header;
    }

    @Override
    public Future<Optional<FileValue>> fetch(String url) {
        return refuse();
    }

    @Override
    public void requireAllowed(FileValue held) {
        var _ = refuse();
    }

    @Override
    public RunWrite.RunHeader header() {
        return header;
    }

    @Override
    public String idempotencyKey() {
        return header.id() + ":" + stepName() + ":1";
    }

    @Override
    public void tag(String name) {
        var _ = refuse();
    }

    @Override
    public void wrote(String standardOutput, String standardError) {
        var _ = refuse();
    }
}
