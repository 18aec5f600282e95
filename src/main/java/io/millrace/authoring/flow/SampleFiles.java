package io.millrace.authoring.flow;

import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.file.FileMessages;
import io.millrace.piece.file.FileType;
import io.millrace.piece.file.FlowFiles;
import io.millrace.piece.file.StoredFile;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Samples as files (contract flows-and-engine 21). A step of a version overwrites its own file; a step of a later
 * version, which starts with the file id of the earlier one, gets a new file.
 */
public final class SampleFiles {
    private static final String DATA_TYPE = "dataType";
    private static final String TEXT = "STRING";

    private final FlowFiles files;

    public SampleFiles(FlowFiles files) {
        this.files = files;
    }

    /**
     * Stores a sample of a step of the version and returns the file's id. Fails with ENTITY_NOT_FOUND without the step.
     */
    public Future<String> keep(
            Tx tx, String projectId, FlowVersion version, FlowOperation.SaveSampleData save, Instant now) {
        var step = version.steps().find(save.stepName()).orElseThrow(() -> FlowEditor.stepNotFound(save.stepName()));
        var sample = StepSample.of(save.payload());
        var metadata = Json.object()
                .put("flowId", version.flowId())
                .put("flowVersionId", version.id())
                .put("stepName", step.name())
                .put(DATA_TYPE, sample.isText() ? TEXT : "JSON");
        var type = save.dataType() == SampleDataType.INPUT ? FileType.SAMPLE_DATA_INPUT : FileType.SAMPLE_DATA;
        return files.find(tx, projectId, idOf(step, save.dataType()).stream().toList())
                .compose(found -> {
                    var fileId = found.stream()
                            .map(FileMessages.Content::file)
                            .filter(file -> file.type() == type && isOf(file, version, step))
                            .map(StoredFile::id)
                            .findFirst()
                            .orElseGet(Ids::next);
                    var file = StoredFile.ofFlow(
                            fileId,
                            now,
                            projectId,
                            type,
                            step.name() + (sample.isText() ? ".txt" : ".json"),
                            sample.isText() ? "text/plain; charset=utf-8" : "application/json",
                            sample.data().length(),
                            metadata);
                    return files.put(tx, file, sample.data()).map(fileId);
                });
    }

    private static boolean isOf(StoredFile file, FlowVersion version, Step step) {
        return file.metadata().path("flowVersionId").asText().equals(version.id())
                && file.metadata().path("stepName").asText().equals(step.name());
    }

    public Future<StepSample> find(Tx tx, String projectId, Step step, SampleDataType type) {
        var id = idOf(step, type);
        return id.isEmpty()
                ? Future.succeededFuture(StepSample.NONE)
                : files.find(tx, projectId, List.of(id.get()))
                        .map(found -> found.stream()
                                .map(SampleFiles::sample)
                                .findFirst()
                                .orElse(StepSample.GONE));
    }

    public Future<Map<String, StepSample>> find(Tx tx, String projectId, List<String> fileIds) {
        return files.find(tx, projectId, fileIds)
                .map(found -> found.stream()
                        .collect(Collectors.toMap(content -> content.file().id(), SampleFiles::sample)));
    }

    public static Optional<String> idOf(Step step, SampleDataType type) {
        return Optional.ofNullable(
                step.settings().path("sampleData").path(type.setting()).textValue());
    }

    private static StepSample sample(FileMessages.Content content) {
        return new StepSample(content.file().metadata().path(DATA_TYPE).asText().equals(TEXT), content.data());
    }
}
