package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.redecide.RedecisionVerdict;
import io.millrace.engine.run.redecide.RedecisionVerdict.Kind;
import io.millrace.engine.run.store.RunHistoryStore.PastRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups of re-decided runs: by kind and first differing step, with a few examples each. Bounded in groups and in the
 * size of examples. Not thread-safe: one batch at a time is added.
 */
final class DecisionTally {
    private static final int EXAMPLES_MAX = 3;
    private static final int GROUPS_MAX = 200;

    /** Size of one shown value; a longer one is replaced by its size. */
    private static final long VALUE_BYTES_MAX = 4 * 1024;

    private static final String SAME = "SAME";
    private static final String OTHER_GROUPS = "(other steps)";

    private final Map<Key, Group> groups = new HashMap<>();
    private int runs;
    private int same;

    private record Key(String kind, String step, String reason) {}

    private static final class Group {
        private int count;
        private final List<ObjectNode> examples = new ArrayList<>(EXAMPLES_MAX);
    }

    int runs() {
        return runs;
    }

    void add(PastRun run, RedecisionVerdict verdict) {
        runs++;
        switch (verdict) {
            case RedecisionVerdict.Same _ -> same++;
            case RedecisionVerdict.Different(var path, var kind, var before, var now) ->
                add(run, kind.name(), path, "", before, now);
            case RedecisionVerdict.Unknown(var path, var reason) -> add(run, "UNKNOWN", path, reason, null, null);
            case RedecisionVerdict.NotRecomputable(var path, var reason) ->
                add(run, "NOT_RECOMPUTABLE", path, reason, null, null);
        }
    }

    private void add(PastRun run, String kind, String path, String reason, JsonNode before, JsonNode now) {
        var key = new Key(kind, stepOf(path), reason);
        var isFull = groups.size() >= GROUPS_MAX && !groups.containsKey(key);
        var group = groups.computeIfAbsent(isFull ? new Key(kind, OTHER_GROUPS, "") : key, _ -> new Group());
        group.count++;
        if (group.examples.size() < EXAMPLES_MAX) {
            var example = Json.object()
                    .put("runId", run.id())
                    .put("created", Json.timestamp(run.created()))
                    .put("path", path);
            if (before != null) {
                example.set("before", shown(before));
                example.set("now", shown(now));
            }
            group.examples.add(example);
        }
    }

    private static String stepOf(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private static JsonNode shown(JsonNode value) {
        return JsonSize.isAtMost(value, VALUE_BYTES_MAX)
                ? value
                : TextNode.valueOf("(shortened, original size " + JsonSize.of(value) + " bytes)");
    }

    ObjectNode progress() {
        var json = Json.object().put("runs", runs).put("same", same);
        return json.put("otherBranch", count(Kind.OTHER_BRANCH.name()))
                .put("otherAnswer", count(Kind.OTHER_ANSWER.name()))
                .put("unknown", count("UNKNOWN"));
    }

    private int count(String kind) {
        return groups.entrySet().stream()
                .filter(group -> group.getKey().kind().equals(kind))
                .mapToInt(group -> group.getValue().count)
                .sum();
    }

    /** All groups, largest first. */
    ObjectNode result(String flowVersionId) {
        var json = progress().put("flowVersionId", flowVersionId);
        var list = json.putArray("groups");
        if (same > 0) {
            list.addObject().put("kind", SAME).put("count", same);
        }
        groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> -group.getValue().count))
                .forEach(group -> {
                    var shown = list.addObject()
                            .put("kind", group.getKey().kind())
                            .put("step", group.getKey().step())
                            .put("count", group.getValue().count);
                    if (!group.getKey().reason().isEmpty()) {
                        shown.put("reason", group.getKey().reason());
                    }
                    group.getValue().examples.forEach(shown.putArray("examples")::add);
                });
        return json;
    }
}
