package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.parser.References;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies steps under new names (contract flows-and-engine 4.10): names are assigned depth first, references to copied
 * steps inside {@code settings.input} are renamed, all other text is unchanged.
 */
public final class StepCopy {
    private final Map<String, String> renamed;
    private final Iterator<String> names;
    private final String now;

    private StepCopy(Map<String, String> renamed, Iterator<String> names, String now) {
        this.renamed = renamed;
        this.names = names;
        this.now = now;
    }

    public static ActionStep of(ActionStep action, Set<String> taken, String now) {
        return of(List.of(action), taken, now).getFirst();
    }

    public static List<ActionStep> of(List<ActionStep> sequence, Set<String> taken, String now) {
        var free = new StepNameAllocator(taken);
        var renamed = new HashMap<String, String>();
        var names = new ArrayList<String>();
        for (var action : StepTree.within(List.of(sequence))) {
            var name = free.next();
            names.add(name);
            renamed.putIfAbsent(action.name(), name);
        }
        return new StepCopy(renamed, names.iterator(), now).sequence(sequence);
    }

    private List<ActionStep> sequence(List<ActionStep> sequence) {
        var copies = new ArrayList<ActionStep>(sequence.size());
        for (var action : sequence) {
            copies.add(copy(action));
        }
        return copies;
    }

    /** The name is allocated before those of the inner steps: the contract defines this order. */
    private ActionStep copy(ActionStep action) {
        var base = action.base()
                .named(names.next(), action.displayName() + " Copy")
                .changedAt(now);
        var sequences = new ArrayList<List<ActionStep>>();
        for (var inner : action.sequences()) {
            sequences.add(sequence(inner));
        }
        var copy = action.with(base, settings(action), sequences);
        return copy instanceof RouterStep router ? router.rebuilt() : copy;
    }

    private ObjectNode settings(ActionStep action) {
        var settings = action.settings().deepCopy();
        if (settings.has("input")) {
            settings.set(
                    "input", SettingsTexts.mapped(settings.get("input"), text -> References.rename(text, renamed)));
        }
        settings.set("sampleData", Json.object());
        return settings;
    }
}
