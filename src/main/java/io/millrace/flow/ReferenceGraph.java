package io.millrace.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which step refers to which, and through which field. Follows references without recursion. */
final class ReferenceGraph {
    private static final int NAMES_SHOWN_MAX = 10;

    /** By referring step, in the order in which steps were added: the steps referred to, with the first field. */
    private final Map<String, Map<String, String>> references = new LinkedHashMap<>();

    /**
     * Steps that refer to each other in a circle.
     *
     * @param stepName first step of the circle
     * @param field where it refers to the second
     * @param path the steps of the circle, the first one again at the end
     */
    record Circle(String stepName, String field, String path) {}

    void add(String stepName, String field, String referred) {
        references.computeIfAbsent(stepName, _ -> new LinkedHashMap<>()).putIfAbsent(referred, field);
    }

    /** A circle, when there is one: what remains once every step that refers to nothing remaining is taken away. */
    Optional<Circle> firstCircle() {
        var remaining = new LinkedHashMap<String, Integer>();
        var referring = new HashMap<String, List<String>>();
        references.forEach((name, referred) -> {
            remaining.put(name, referred.size());
            referred.keySet()
                    .forEach(to -> referring
                            .computeIfAbsent(to, _ -> new ArrayList<>())
                            .add(name));
        });
        var settled = new ArrayDeque<>(referring.keySet());
        settled.removeIf(remaining::containsKey);
        while (!settled.isEmpty()) {
            for (var name : referring.getOrDefault(settled.remove(), List.of())) {
                if (remaining.merge(name, -1, Integer::sum) == 0) {
                    remaining.remove(name);
                    settled.add(name);
                }
            }
        }
        return remaining.keySet().stream().findFirst().map(start -> circleFrom(start, remaining));
    }

    /** Every remaining step refers to a remaining one, so that following them must come round. */
    private Circle circleFrom(String start, Map<String, Integer> remaining) {
        var places = new LinkedHashMap<String, Integer>();
        var at = start;
        while (!places.containsKey(at)) {
            places.put(at, places.size());
            at = references.get(at).keySet().stream()
                    .filter(remaining::containsKey)
                    .findFirst()
                    .orElseThrow();
        }
        var names = new ArrayList<>(places.keySet()).subList(places.get(at), places.size());
        var second = names.size() > 1 ? names.get(1) : at;
        var shown = new ArrayList<>(names.subList(0, Math.min(names.size(), NAMES_SHOWN_MAX)));
        if (shown.size() < names.size()) {
            shown.add("…");
        }
        shown.add(at);
        return new Circle(at, references.get(at).get(second), String.join(" > ", shown));
    }
}
