package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.RecordText;
import java.util.Arrays;

final class RecordComparison {
    private RecordComparison() {}

    /** Compares by value; by text where the types of numbers differ, because a recorded value has been parsed. */
    static boolean isSame(JsonNode recorded, JsonNode computed) {
        return recorded.equals(computed)
                || recorded.getNodeType() == computed.getNodeType()
                        && Arrays.equals(RecordText.plain(recorded), RecordText.plain(computed));
    }

    static boolean isSameResult(ObjectNode recorded, ObjectNode computed) {
        return recorded.path("status").equals(computed.path("status"))
                && recorded.path("errorMessage").equals(computed.path("errorMessage"))
                && isSame(recorded.path("input"), computed.path("input"))
                && isSame(recorded.path("output"), computed.path("output"));
    }

    static boolean isShortened(JsonNode input) {
        for (var value : input) {
            if (value.isTextual() && InputTruncation.isMark(value.textValue())) {
                return true;
            }
        }
        return false;
    }

    static ArrayNode takenBranches(JsonNode output, boolean isFirstOnly) {
        var taken = Json.array();
        for (var branch : output.path("branches")) {
            if (branch.path("evaluation").asBoolean()) {
                taken.add(branch.path("branchName"));
                if (isFirstOnly) {
                    break;
                }
            }
        }
        return taken;
    }
}
