package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.Json;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Edits the samples of a step's last test (contract flows-and-engine 2.9, 4.17); the step's date is unchanged. */
final class SampleDataEditor {
    private static final String SAMPLE_DATA = "sampleData";

    private SampleDataEditor() {}

    static ObjectNode keep(ObjectNode old, ObjectNode requested) {
        if (!old.has(SAMPLE_DATA)) {
            return requested;
        }
        var kept = requested.deepCopy();
        kept.set(SAMPLE_DATA, old.get(SAMPLE_DATA));
        return kept;
    }

    static StepTree updated(StepTree tree, String stepName, Optional<ObjectNode> fileIds, String now) {
        return change(tree, stepName, settings -> {
            settings.remove(SAMPLE_DATA);
            fileIds.ifPresent(ids -> settings.set(SAMPLE_DATA, ids.deepCopy().put("lastTestDate", now)));
            return settings;
        });
    }

    static StepTree recorded(StepTree tree, FlowOperation.RecordSampleData sample, String now) {
        return change(tree, sample.stepName(), settings -> {
            var data = settings.get(SAMPLE_DATA) instanceof ObjectNode known ? known : Json.object();
            data.put(sample.dataType().setting(), sample.fileId()).put("lastTestDate", now);
            settings.set(SAMPLE_DATA, data);
            return settings;
        });
    }

    /** The edit gets a separate copy of the settings. */
    private static StepTree change(StepTree tree, String stepName, UnaryOperator<ObjectNode> edit) {
        var trigger = tree.trigger();
        if (trigger.name().equals(stepName)) {
            return tree.with(
                    trigger.with(trigger.base(), edit.apply(trigger.settings().deepCopy())));
        }
        return tree.change(
                action -> action.name().equals(stepName),
                action -> action.with(edit.apply(action.settings().deepCopy())));
    }
}
