package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Selection of a provider's models that a platform offers (contract agents 4.3). It limits lists only: a step may name any
 * model of a provider with the platform's own key.
 *
 * @param modelIds the selected ones
 */
record ModelScope(Kind kind, List<String> modelIds) {
    static final ModelScope ALL = new ModelScope(Kind.ALL, List.of());

    private static final Pattern WORD = Pattern.compile("all|selected");
    private static final int MODELS_MAX = 1_000;

    enum Kind {
        ALL,
        SELECTED
    }

    ModelScope {
        modelIds = List.copyOf(modelIds);
    }

    static Optional<ModelScope> read(Fields body) {
        var word = body.optionalText("modelScope", WORD);
        var ids = body.optionalTexts("modelIds");
        if (ids.isPresent() && ids.get().size() > MODELS_MAX) {
            body.refuse("modelIds", "Too big: expected array to have <=" + MODELS_MAX + " items");
        }
        var selects = word.filter("selected"::equals).isPresent();
        if (selects && ids.isEmpty()) {
            body.refuse("modelIds", "Invalid input: expected the models of the scope \"selected\"");
        }
        if (!selects && ids.filter(given -> !given.isEmpty()).isPresent()) {
            body.refuse("modelScope", "Invalid input: expected \"selected\" where models are named");
        }
        return word.map(_ -> selects ? new ModelScope(Kind.SELECTED, ids.orElse(List.of())) : ALL);
    }

    boolean offers(AiModel model) {
        return kind == Kind.ALL || modelIds.contains(model.id());
    }

    void addTo(ObjectNode json) {
        json.put("modelScope", kind.name().toLowerCase(Locale.ROOT));
        var ids = json.putArray("modelIds");
        modelIds.forEach(ids::add);
    }
}
