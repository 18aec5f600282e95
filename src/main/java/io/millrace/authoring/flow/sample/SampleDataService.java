package io.millrace.authoring.flow.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flow;
import io.millrace.authoring.flow.FlowStore;
import io.millrace.authoring.flow.SampleFiles;
import io.millrace.authoring.flow.StepSample;
import io.millrace.authoring.flow.VersionStore;
import io.millrace.authoring.flow.VersionUpgrade;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.file.FlowFiles;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Handles {@link SampleData}. The operation SAVE_SAMPLE_DATA belongs to {@code FlowChanges}, like all operations. */
public final class SampleDataService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final FlowStore store = new FlowStore();
    private final VersionStore versions = new VersionStore();
    private final SampleFiles files;
    private final VersionUpgrade upgrade;

    public SampleDataService(Database database, FlowFiles files, InstantSource clock) {
        this.database = database;
        this.files = new SampleFiles(files);
        this.upgrade = new VersionUpgrade(versions, files, clock);
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SampleData.Find.class, this::find);
        bus.serve(SampleData.FindOutputs.class, this::findOutputs);
        bus.serve(SampleData.Keep.class, this::keep);
        bus.serve(SampleData.Preview.class, this::preview);
    }

    private Future<StepSample> find(SampleData.Find ask) {
        return database.read(tx -> flow(tx, ask.flowId())
                .compose(flow -> version(tx, ask.versionId()).compose(version -> {
                    if (!flow.projectId().equals(ask.projectId())) {
                        throw ApiException.notFound("flow", flow.id());
                    }
                    if (!version.flowId().equals(flow.id())) {
                        throw ApiException.notFound("flow_version", version.id());
                    }
                    return files.find(tx, flow.projectId(), step(version, ask.stepName()), ask.type());
                })));
    }

    private Future<ObjectNode> preview(SampleData.Preview ask) {
        return Future.succeededFuture(
                ExpressionPreview.of(ask.value(), ask.samples(), clock, ThreadLocalRandom.current()));
    }

    private Future<Map<String, JsonNode>> findOutputs(SampleData.FindOutputs ask) {
        return database.read(tx -> version(tx, ask.versionId())
                .compose(version -> flow(tx, version.flowId()).compose(flow -> outputs(tx, flow, version))));
    }

    private Future<Map<String, JsonNode>> outputs(Tx tx, Flow flow, FlowVersion version) {
        var fileIds = new HashMap<String, String>();
        for (var step : version.steps().steps()) {
            SampleFiles.idOf(step, SampleDataType.OUTPUT).ifPresent(id -> fileIds.putIfAbsent(step.name(), id));
        }
        var distinct = fileIds.values().stream().distinct().toList();
        return files.find(tx, flow.projectId(), distinct).map(samples -> {
            var outputs = new HashMap<String, JsonNode>();
            fileIds.forEach((name, id) -> {
                if (samples.containsKey(id)) {
                    outputs.put(name, samples.get(id).value());
                }
            });
            return outputs;
        });
    }

    /** The flow's lock serializes this with edits, so that neither overwrites the other. */
    private Future<String> keep(SampleData.Keep keep) {
        var now = clock.instant();
        var save = new FlowOperation.SaveSampleData(keep.stepName(), keep.type(), keep.payload());
        return database.inTransaction(tx -> version(tx, keep.versionId())
                .compose(known -> store.findForUpdate(tx, known.flowId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_version", keep.versionId())))
                .compose(flow -> version(tx, keep.versionId())
                        .compose(version -> upgrade.upgraded(tx, flow.projectId(), version))
                        .compose(version -> files.keep(tx, flow.projectId(), version, save, now)
                                .compose(fileId -> versions.update(
                                                tx, FlowEditor.recorded(version, save.recordedAs(fileId), now))
                                        .map(fileId)))));
    }

    private Future<Flow> flow(Tx tx, String flowId) {
        return store.find(tx, flowId).map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)));
    }

    private Future<FlowVersion> version(Tx tx, String versionId) {
        return versions.find(tx, versionId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_version", versionId)));
    }

    private static Step step(FlowVersion version, String name) {
        return version.steps().find(name).orElseThrow(() -> FlowEditor.stepNotFound(name));
    }
}
