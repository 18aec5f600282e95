package io.millrace.sandbox.node.process;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.TSFBuilder;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FreeForm;
import io.millrace.sandbox.node.call.ConsoleOutput;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.ReverseFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Frames of the host as this server reads and writes them (contract pieces 9). */
final class HostFrame {
    private static final String UNUSABLE = "The output cannot be used: ";
    private static final byte[] START = "{\"t\":".getBytes(StandardCharsets.US_ASCII);

    /** A frame encloses its value, which may have the full depth. */
    private static final JsonFactory PARSERS = ((TSFBuilder<?, ?>)
                    Json.mapper().getFactory().rebuild())
            .streamReadConstraints(Json.mapper()
                    .getFactory()
                    .streamReadConstraints()
                    .rebuild()
                    .maxNestingDepth(Json.DEPTH_MAX + 1)
                    .build())
            .build();

    private HostFrame() {}

    /** The frame in a line, which may begin with what a package wrote past the host; null when there is none. */
    static JsonNode in(byte[] line) {
        var start = startIn(line);
        if (start < 0) {
            return null;
        }
        try (var parser = PARSERS.createParser(line, start, line.length - start)) {
            JsonNode frame = Json.mapper().readTree(parser);
            return frame.isObject() && parser.nextToken() == null ? frame : null;
        } catch (StreamConstraintsException beyond) {
            return failureOf(line, start, FreeForm.exceeded(beyond));
        } catch (JsonProcessingException stray) {
            return null;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Failed result in place of a result that exceeds a limit of JSON; null when the line holds no result. */
    private static JsonNode failureOf(byte[] line, int start, String limit) {
        var frame = Json.object();
        try (var parser = PARSERS.createParser(line, start, line.length - start)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var name = parser.currentName();
                if (!parser.nextToken().isScalarValue()) {
                    break;
                }
                frame.put(name, parser.getText());
            }
        } catch (IOException unreadable) {
            return null;
        }
        if (!frame.path("t").asText().equals("result")) {
            return null;
        }
        frame.put("ok", false).putObject("error").put("name", "OutputError").put("message", UNUSABLE + limit);
        return frame;
    }

    private static int startIn(byte[] line) {
        for (var start = 0; start <= line.length - START.length; start++) {
            if (Arrays.equals(line, start, start + START.length, START, 0, START.length)) {
                return start;
            }
        }
        return -1;
    }

    static boolean isIn(byte[] line) {
        return startIn(line) >= 0;
    }

    static boolean beginsWithOne(byte[] line) {
        return startIn(line) == 0;
    }

    static ObjectNode errorOf(Throwable cause) {
        var error = Json.object().put("message", String.valueOf(cause.getMessage()));
        if (cause instanceof ReverseFailure refused) {
            error.put("name", refused.errorName()).put("class", refused.engine() ? "ENGINE" : "USER");
        } else {
            error.put("name", "EngineError").put("class", "ENGINE");
        }
        return error;
    }

    static NodeResult resultOf(JsonNode frame, ConsoleOutput printed) {
        var hooks = frame.path("hooks") instanceof ObjectNode object ? object : Json.object();
        if (frame.path("ok").asBoolean()) {
            return new NodeResult.Returned(frame.get("value"), hooks, printed);
        }
        var error = frame.path("error") instanceof ObjectNode object ? object : Json.object();
        return new NodeResult.Threw(error, hooks, printed);
    }
}
