package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Flows of pure and impure steps, loops and routers, generated from a seed. */
public final class RandomFlow {
    private final Random random;
    private final List<String> outside = new ArrayList<>();
    private int names;

    public RandomFlow(long seed) {
        this.random = new Random(seed);
    }

    /** The flow, which responds to its caller at the end. */
    public FlowScript script() {
        var script = FlowScript.webhook();
        sequence(script, 3, List.of());
        return random.nextBoolean() ? script.returnJson("step_answer", "{'x':'{{trigger.output.body.x}}'}") : script;
    }

    /** An event for the flow. */
    public ObjectNode event() {
        var event = FlowScript.xs(random.nextInt(7));
        return event.put("x", random.nextInt(3)).put("text", "ä\uD83D\uDE00" + random.nextInt(10));
    }

    /** Names of the impure steps. */
    public List<String> outside() {
        return outside;
    }

    private void sequence(FlowScript script, int depth, List<String> loops) {
        for (var count = 1 + random.nextInt(3); count > 0; count--) {
            step(script, depth, loops);
        }
    }

    private FlowScript inner(int depth, List<String> loops) {
        var script = FlowScript.steps();
        if (random.nextInt(8) > 0) {
            sequence(script, depth, loops);
        }
        return script;
    }

    private void step(FlowScript script, int depth, List<String> loops) {
        var name = "step_" + names++;
        var dice = depth == 0 ? random.nextInt(6) : random.nextInt(10);
        switch (dice) {
            case 0, 1, 2 -> {
                outside.add(name);
                script.storePut(name, "k" + random.nextInt(3), value(loops));
                if (random.nextBoolean()) {
                    script.continuing();
                }
            }
            case 3, 4 -> script.map(name, "{'a':'" + value(loops) + "','b':'x " + value(loops) + "'}");
            case 5 -> script.respondJson(name, "{'y':'" + value(loops) + "'}");
            case 6, 7 -> {
                var deeper = new ArrayList<>(loops);
                deeper.add(name);
                script.eachX(name, inner(depth - 1, deeper));
            }
            default -> {
                var equal = Branch.whenEqual("B1", value(loops), "" + random.nextInt(3), inner(depth - 1, loops));
                var other = Branch.whenEqual("B2", "1", "{{trigger.output.body.x}}", inner(depth - 1, loops));
                var rest = Branch.otherwise(inner(depth - 1, loops));
                if (random.nextBoolean()) {
                    script.firstMatch(name, equal, other, rest);
                } else {
                    script.allMatches(name, equal, other, rest);
                }
            }
        }
    }

    private String value(List<String> loops) {
        return switch (random.nextInt(5)) {
            case 0 -> "{{trigger.output.body.x}}";
            case 1 -> "{{trigger.output.body.text}}";
            case 2 -> loops.isEmpty() ? "plain" : "{{" + loops.getLast() + ".output.item}}";
            case 3 -> outside.isEmpty() ? "0" : "{{" + outside.get(random.nextInt(outside.size())) + ".output.number}}";
            default ->
                loops.isEmpty() ? "{{trigger.output.body.xs.length}}" : "{{" + loops.getFirst() + ".output.index}}";
        };
    }
}
