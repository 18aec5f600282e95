package io.millrace.sandbox.code.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FreeForm;
import io.millrace.sandbox.code.AuthorLines;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.worker.WorkerFrame;
import java.io.IOException;
import java.util.Arrays;

final class WorkerAnswer {
    private WorkerAnswer() {}

    /** Adds a console line. A frame of another type, or without a known level, violates the protocol. */
    static void addLine(WorkerFrame frame, ConsoleLog.Builder log) throws IOException {
        String line = frame.text();
        int end = line.indexOf('\n');
        if (frame.type() != WorkerFrame.Type.LOG || end < 0) {
            throw new IOException("expected a console line, but found " + frame.type());
        }
        log.add(level(line.substring(0, end)), line.substring(end + 1));
    }

    private static ConsoleLog.Level level(String name) throws IOException {
        return Arrays.stream(ConsoleLog.Level.values())
                .filter(level -> level.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("expected a console line with a level"));
    }

    static CodeResult result(WorkerFrame frame, AuthorLines lines, ConsoleLog log) throws IOException {
        return switch (frame.type()) {
            case RETURNED -> returned(frame.body(), log);
            case RETURNED_NOTHING -> new CodeResult.Returned(null, log);
            case THREW -> ThrownError.read(frame.text(), lines, log);
            case TIMED_OUT -> new CodeResult.TimedOut(log);
            case MEMORY_EXCEEDED -> new CodeResult.MemoryExceeded(log);
            case RUN, WITHDRAW, WITHDRAWN, READY, BEGUN, LOG, AGAIN ->
                throw new IOException("expected a result, but found " + frame.type());
        };
    }

    private static CodeResult returned(byte[] json, ConsoleLog log) {
        try {
            return new CodeResult.Returned(Json.parse(json), log);
        } catch (JsonProcessingException unusable) {
            var reason = unusable instanceof StreamConstraintsException beyond
                    ? FreeForm.exceeded(beyond)
                    : unusable.getOriginalMessage();
            return ThrownError.of("OutputError", "The output cannot be used: " + reason, log);
        }
    }
}
