package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.ConditionOperator;
import io.millrace.sandbox.expression.closure.ClosureModules;
import io.millrace.sandbox.expression.closure.RandomPrograms;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random flows of pure steps and routers from a seed. Some steps fail, and some expressions have no value. */
final class RandomPureFlow {
    private static final List<String> VALUES = List.of(
            "{{trigger.output.body.x}}",
            "{{trigger.output.body.text}}",
            "a {{trigger.output.body.text}} b",
            "{{trigger.output.body.list}}",
            "{{trigger.output.body.list.map(v => v * 2)}}",
            "{{trigger.output.body.x * 1.5 + 1}}",
            "{{trigger.output.body.missing.deep}}",
            "{{trigger.output.body.x / 0}}",
            "{{Math.random()}}",
            "{{Date.now()}}",
            "{{JSON.parse(trigger.output.body.text)}}",
            "{{unknown(1)}}",
            "{{1 +}}",
            "plain");

    private static final List<String> LISTS = List.of(
            "{{trigger.output.body.list}}",
            "{{trigger.output.body.list}}",
            "{{[1, {a: 2}, 'x']}}",
            "{{[]}}",
            "{{trigger.output.body.list.map(v => ({v: v, w: [v]}))}}");

    /** A flow that reads more than the item and the index is left to the general engine. */
    private static final List<String> LOOP_PARTS = List.of(".item", ".item", ".item.v", ".item.w[0]", ".index");

    private static final List<String> LOOP_WHOLE = List.of("", ".iterations", ".iterations[0]");

    private static final List<String> CODE = List.of(
            "return { a: inputs.v, b: [inputs.w] };",
            "return inputs.missing;",
            "return typeof inputs.v;",
            "return { a: `${typeof inputs.w}!`, 'ü\"': null };",
            "let n = 0; for (const c of [1, 2.5, 3]) { n += c; } return { a: n };",
            "return inputs.v.missing.deep;",
            "throw new Error('refused');",
            "return inputs.v / 0;");

    private static final String TEXT_HELPER = "@activepieces/piece-text-helper";
    private static final String MATH_HELPER = "@activepieces/piece-math-helper";
    private static final String JSON = "@activepieces/piece-json";

    private final Random random;
    private final List<String> before = new ArrayList<>();
    private final List<String> loops = new ArrayList<>();
    private int names;

    RandomPureFlow(Random random) {
        this.random = random;
    }

    FlowScript script() {
        var script = FlowScript.webhook();
        sequence(script, 3);
        return switch (random.nextInt(4)) {
            case 0 -> script;
            case 1 -> script.respondJson("step_answer", "{'x':'" + value() + "'}");
            default -> script.returnJson("step_answer", "{'x':'" + value() + "'}");
        };
    }

    ObjectNode event() {
        var event =
                Json.object().put("x", random.nextInt(4)).put("text", text()).put("real", random.nextGaussian());
        event.put("long", random.nextLong()).put("yes", random.nextBoolean()).putNull("none");
        var list = event.putArray("list");
        for (var count = random.nextInt(8); count > 0; count--) {
            list.add(random.nextInt(100) - 50);
        }
        event.putObject("deep").putObject(text()).put("value", Math.pow(10, random.nextInt(40) - 20));
        if (random.nextInt(40) == 0) {
            event.put("large", "y".repeat(random.nextInt(40_000)));
        }
        return event;
    }

    private String text() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "ä\uD83D\uDE00€" + random.nextInt(10);
            case 2 -> "quote\" back\\ line\n tab\t \u0001\u007F";
            case 3 -> "[1,2,{\"a\":null}]";
            case 4 -> random.nextInt(6) == 0 ? "unpaired \uD83D" : "1";
            case 5 -> "" + random.nextInt(5);
            default -> "text " + random.nextInt(3);
        };
    }

    private void sequence(FlowScript script, int depth) {
        for (var count = 1 + random.nextInt(3); count > 0; count--) {
            step(script, depth);
        }
    }

    private FlowScript inner(int depth) {
        var script = FlowScript.steps();
        if (random.nextInt(8) > 0) {
            sequence(script, depth);
        }
        return script;
    }

    private void step(FlowScript script, int depth) {
        var name = "step_" + names++;
        switch (random.nextInt(depth == 0 ? 9 : 16)) {
            case 0, 1, 2, 3 -> script.map(name, "{'a':'" + value() + "','b':'x " + value() + "'}");
            case 4 -> script.piece(name, TEXT_HELPER, "0.6.2", "concat", texts());
            case 5 -> {
                var action = random.nextInt(6) == 0 ? "division_math" : "addition_math";
                script.piece(name, MATH_HELPER, "0.0.24", action, numbers());
            }
            case 6 -> {
                if (random.nextBoolean()) {
                    script.piece(name, JSON, "0.1.4", "convertJsonToText", json());
                } else {
                    code(script, name);
                }
            }
            case 7 -> {
                if (random.nextInt(4) == 0) {
                    script.piece(
                            name,
                            JSON,
                            "0.1.4",
                            "convertTextToJson",
                            Json.object().put("text_object", value()));
                } else {
                    script.map(name, "{'c':['" + value() + "',{'d':'" + value() + "'}]}");
                }
            }
            case 8 -> answer(script, name);
            case 9, 10 -> loop(script, name, depth);
            default -> router(script, name, depth);
        }
        options(script, depth);
        if (!loops.contains(name)) {
            before.add(name);
        }
    }

    /** Code that returns values of all kinds, and some that leaves its run to a worker. */
    private void code(FlowScript script, String name) {
        var body = random.nextInt(3) == 0
                ? new RandomPrograms(random.nextLong()).body()
                : CODE.get(random.nextInt(random.nextInt(6) == 0 ? CODE.size() : 5));
        script.code(name, ClosureModules.ofBody(body), "{'v':'" + value() + "','w':'" + value() + "'}");
    }

    private void answer(FlowScript script, String name) {
        switch (random.nextInt(6)) {
            case 0 -> script.respondJson(name, "{'y':'" + value() + "'}");
            case 1 -> script.returnJson(name, "{'y':'" + value() + "'}");
            default -> script.map(name, "{'long':'" + "z".repeat(random.nextInt(4_000)) + "'}");
        }
    }

    private void options(FlowScript script, int depth) {
        switch (random.nextInt(12)) {
            case 0 -> script.skipped();
            case 1 -> script.continuing();
            case 2 -> {
                if (depth > 0) {
                    script.continuing(inner(depth - 1), inner(depth - 1));
                }
            }
            default -> {}
        }
    }

    private void loop(FlowScript script, String name, int depth) {
        var items = random.nextInt(6) == 0 ? value() : LISTS.get(random.nextInt(LISTS.size()));
        loops.add(name);
        script.loop(name, items, inner(depth - 1));
    }

    private ObjectNode texts() {
        var input = Json.object().put("separator", "-");
        input.putArray("texts").add(value()).add(value());
        return input;
    }

    private ObjectNode numbers() {
        return Json.object()
                .put("first_number", "{{trigger.output.body.x}}")
                .put("second_number", random.nextInt(5) == 0 ? value() : "{{trigger.output.body.real}}");
    }

    private ObjectNode json() {
        return Json.object().set("text_object", Json.object().put("v", value()));
    }

    private void router(FlowScript script, String name, int depth) {
        var branches = new ArrayList<Branch>();
        for (var count = random.nextInt(3); count >= 0; count--) {
            branches.add(condition("B" + count, inner(depth - 1)));
        }
        if (random.nextBoolean()) {
            branches.add(Branch.otherwise(inner(depth - 1)));
        }
        var all = branches.toArray(Branch[]::new);
        if (random.nextBoolean()) {
            script.firstMatch(name, all);
        } else {
            script.allMatches(name, all);
        }
    }

    private Branch condition(String name, FlowScript steps) {
        var settings = Json.object().put("branchType", "CONDITION").put("branchName", name);
        var groups = settings.putArray("conditions");
        for (var group = random.nextInt(2); group >= 0; group--) {
            var conditions = groups.addArray();
            for (var count = random.nextInt(2); count >= 0; count--) {
                var operators = ConditionOperator.values();
                conditions
                        .addObject()
                        .put("operator", operators[random.nextInt(operators.length)].name())
                        .put("firstValue", value())
                        .put("secondValue", value())
                        .put("caseSensitive", random.nextBoolean());
            }
        }
        return new Branch(settings, steps);
    }

    private String value() {
        if (!loops.isEmpty() && random.nextInt(3) == 0) {
            var parts = random.nextInt(40) == 0 ? LOOP_WHOLE : LOOP_PARTS;
            var part = parts.get(random.nextInt(parts.size()));
            return "{{" + loops.get(random.nextInt(loops.size())) + ".output" + part + "}}";
        }
        if (!before.isEmpty() && random.nextInt(3) == 0) {
            var step = before.get(random.nextInt(before.size()));
            return random.nextBoolean() ? "{{" + step + ".output.a}}" : "{{" + step + ".output}}";
        }
        return VALUES.get(random.nextInt(random.nextInt(4) == 0 ? VALUES.size() : 6));
    }
}
