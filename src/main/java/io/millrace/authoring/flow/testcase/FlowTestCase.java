package io.millrace.authoring.flow.testcase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A test of a flow.
 *
 * @param id unique in its flow
 * @param content trigger, fixtures, expectations, and the time where it is fixed; not changed afterwards
 */
public record FlowTestCase(String id, String name, ObjectNode content) {
    /** Ids are written by hand in files too. */
    public static final Pattern ID = Pattern.compile("[0-9a-zA-Z_-]{1,64}");

    public static final String TRIGGER = "trigger";
    public static final String FIXTURES = "fixtures";
    public static final String EXPECTATIONS = "expectations";
    public static final String NOW = "now";

    private static final int HTTP_FIXTURES_MAX = 100;
    private static final int PATTERN_LENGTH_MAX = 2_000;
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;
    private static final Pattern METHOD = Pattern.compile("[A-Za-z]{1,20}|\\*");
    private static final Pattern END = Pattern.compile("SUCCEEDED|FAILED");

    public static FlowTestCase read(String id, Fields given) {
        var name = given.text("name", 1, Fields.NAME_LENGTH_MAX);
        if (!given.has(TRIGGER)) {
            given.refuse(TRIGGER, "Invalid input: expected the output of the trigger, received undefined");
        }
        var content = Json.object();
        content.set(TRIGGER, given.raw(TRIGGER));
        content.set(FIXTURES, given.isAbsent(FIXTURES) ? Json.object() : fixtures(given));
        content.set(EXPECTATIONS, given.isAbsent(EXPECTATIONS) ? Json.object() : expectations(given));
        given.orNull().optionalInstant(NOW).ifPresent(now -> content.put(NOW, Json.timestamp(now)));
        return new FlowTestCase(id, name, content);
    }

    /**
     * Reads the tests of a flow in an export: each has an id of its own. Problems are recorded in the fields.
     *
     * @param countMax bounds the work; the limit of the server is checked where they are stored
     */
    public static List<FlowTestCase> readAll(Fields flow, String name, int countMax) {
        var given = flow.array(name);
        if (given.size() > countMax) {
            flow.refuse(name, "Too big: expected array to have <=" + countMax + " items");
            return List.of();
        }
        Set<String> ids = new HashSet<>();
        var tests = new ArrayList<FlowTestCase>();
        for (var index = 0; index < given.size(); index++) {
            var one = flow.element(name, index, given.get(index));
            var id = one.text("id", ID);
            if (!ids.add(id)) {
                one.refuse("id", "Invalid input: expected each test once");
            }
            tests.add(read(id, one));
        }
        return tests;
    }

    private static ObjectNode fixtures(Fields given) {
        var fixtures = given.inner(FIXTURES);
        var read = Json.object();
        fixtures.optionalObject("steps").ifPresent(steps -> read.set("steps", steps));
        if (!fixtures.isAbsent("http")) {
            var http = fixtures.array("http");
            if (http.size() > HTTP_FIXTURES_MAX) {
                fixtures.refuse("http", "Too big: expected array to have <=" + HTTP_FIXTURES_MAX + " items");
            }
            for (var index = 0; index < Math.min(http.size(), HTTP_FIXTURES_MAX); index++) {
                checkHttp(fixtures.element("http", index, http.get(index)));
            }
            read.set("http", http);
        }
        return read;
    }

    private static void checkHttp(Fields one) {
        one.text("method", METHOD);
        one.text("urlPattern", 1, PATTERN_LENGTH_MAX);
        if (!one.isAbsent("bodyPattern")) {
            one.text("bodyPattern", 0, PATTERN_LENGTH_MAX);
        }
        var response = one.inner("response");
        response.optionalInteger("status", STATUS_MIN, STATUS_MAX);
        response.optionalObject("headers");
    }

    private static ObjectNode expectations(Fields given) {
        var expected = given.inner(EXPECTATIONS);
        var read = Json.object();
        copy(expected, "answer", read);
        expected.optionalText("status", END).ifPresent(status -> read.put("status", status));
        expected.optionalObject("branches").ifPresent(branches -> read.set("branches", branches));
        expected.optionalObject("outputs").ifPresent(outputs -> read.set("outputs", outputs));
        if (!expected.isAbsent("calls")) {
            var calls = expected.array("calls");
            for (var index = 0; index < calls.size(); index++) {
                expected.element("calls", index, calls.get(index)).text("step", 1, PATTERN_LENGTH_MAX);
            }
            read.set("calls", calls);
        }
        return read;
    }

    /** An answer of null states that the caller gets none. */
    private static void copy(Fields expected, String name, ObjectNode read) {
        JsonNode value = expected.raw(name);
        if (value.isMissingNode()) {
            return;
        }
        if (!value.isObject() && !value.isNull()) {
            expected.refuse(name, "Invalid input: expected an object or null");
        }
        read.set(name, value);
    }

    /** Size in bytes of the content. */
    int size() {
        return DeepJson.bytes(content).length;
    }

    public ObjectNode toJson() {
        var json = Json.object().put("id", id).put("name", name);
        return json.setAll(content);
    }
}
