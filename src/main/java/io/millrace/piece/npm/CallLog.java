package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.code.InexactNumbers;
import io.millrace.sandbox.node.call.ConsoleOutput;
import io.millrace.sandbox.node.call.NodeResult;
import java.util.ArrayList;
import java.util.List;

/** Warnings about values that were changed or dropped on their way to or from a package. */
record CallLog(ConsoleOutput printed, List<String> warnings) {
    static CallLog of(NodeResult result, String root, JsonNode value) {
        var warnings = new ArrayList<>(InexactNumbers.messages(root, value, "piece"));
        if (result instanceof NodeResult.Returned returned) {
            returned.hooks().path("losses").forEach(loss -> warnings.add(loss.asText()));
        }
        return new CallLog(result.printed(), List.copyOf(warnings));
    }

    String standardError() {
        var lines = String.join("\n", warnings);
        return lines.isEmpty() || printed.standardError().isEmpty()
                ? lines + printed.standardError()
                : lines + "\n" + printed.standardError();
    }
}
