package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/** Compares the expectations of a test with an observation. What a test does not mention is not compared. */
final class Expectations {
    private final JsonNode expected;
    private final DifferenceList differences = new DifferenceList();

    private Expectations(JsonNode expected) {
        this.expected = expected;
    }

    /** @param end status of the end of the walk */
    static DifferenceList differences(JsonNode expected, Observation found, Optional<String> end) {
        var check = new Expectations(expected);
        check.status(end);
        check.answer(found);
        check.branches(found);
        check.calls(found);
        check.outputs(found);
        return check.differences;
    }

    /** The expectations of a test that is made from a run: answer, branches and calls; and the success of a succeeded run. */
    static ObjectNode ofRun(Observation run, boolean hasSucceeded) {
        var json = Json.object();
        json.set("answer", run.answer().orElse(NullNode.getInstance()));
        var branches = json.putObject("branches");
        run.branches().forEach(branches::set);
        var calls = json.putArray("calls");
        run.calls().forEach(call -> calls.addObject().put("step", call.name()));
        if (hasSucceeded) {
            json.put("status", "SUCCEEDED");
        }
        return json;
    }

    private void status(Optional<String> end) {
        if (expected.has("status")) {
            differences.compare(
                    "status",
                    expected.get("status"),
                    end.<JsonNode>map(TextNode::valueOf).orElse(MissingNode.getInstance()));
        }
    }

    private void answer(Observation found) {
        if (!expected.has("answer")) {
            return;
        }
        var wanted = expected.get("answer");
        var given = found.answer().orElse(null);
        if (wanted.isNull() || given == null) {
            if (!wanted.isNull() || given != null) {
                differences.add("answer", wanted, given == null ? MissingNode.getInstance() : given);
            }
            return;
        }
        for (var field : wanted.properties()) {
            var path = "answer." + field.getKey();
            if (field.getKey().equals("headers")) {
                headers(path, field.getValue(), given.path("headers"));
            } else {
                differences.compare(path, field.getValue(), given.path(field.getKey()));
            }
        }
    }

    /** Other headers than the expected ones are allowed; names are compared without regard to case. */
    private void headers(String path, JsonNode wanted, JsonNode given) {
        for (var header : wanted.properties()) {
            JsonNode found = MissingNode.getInstance();
            for (var other : given.properties()) {
                if (other.getKey().equalsIgnoreCase(header.getKey())) {
                    found = other.getValue();
                }
            }
            differences.compare(path + "." + header.getKey(), header.getValue(), found);
        }
    }

    private void branches(Observation found) {
        for (var router : expected.path("branches").properties()) {
            var taken = found.branches().get(router.getKey());
            differences.compare(
                    "branches." + router.getKey(),
                    router.getValue(),
                    taken == null ? MissingNode.getInstance() : taken);
        }
    }

    private void calls(Observation found) {
        if (!expected.has("calls")) {
            return;
        }
        var wanted = expected.get("calls");
        for (var index = 0; index < Math.max(wanted.size(), found.calls().size()); index++) {
            var path = "calls[" + index + "]";
            var call = index < found.calls().size() ? found.calls().get(index) : null;
            var one = wanted.path(index);
            if (call == null) {
                differences.add(path + ".step", one.path("step"), MissingNode.getInstance());
            } else if (!isStep(one.path("step").asText(), call)) {
                differences.add(path + ".step", one.path("step"), TextNode.valueOf(call.path()));
            } else if (one.has("input")) {
                differences.compareFields(path + ".input", one.get("input"), call.input());
            }
        }
    }

    private static boolean isStep(String wanted, Observation.Call call) {
        return wanted.equals(call.name()) || wanted.equals(call.path());
    }

    private void outputs(Observation found) {
        for (var output : expected.path("outputs").properties()) {
            var stepRecord = found.records().get(output.getKey());
            differences.compare(
                    "outputs." + output.getKey(),
                    output.getValue(),
                    stepRecord == null ? MissingNode.getInstance() : stepRecord.path("output"));
        }
    }
}
