package io.millrace.authoring.importer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.authoring.importer.n8n.FlowImport;
import io.millrace.authoring.importer.n8n.ImportFigures;
import io.millrace.authoring.importer.n8n.WorkflowImport;
import io.millrace.authoring.importer.n8n.WorkflowTranslator;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Translates workflows and creates a draft for each flow, one after another. */
public final class ImportService implements BusService {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final Config.Imports limits;
    private final FlowTestLimits testLimits;
    private final InstantSource clock;

    public ImportService(Bus bus, Config.Imports limits, FlowTestLimits testLimits, InstantSource clock) {
        this.bus = bus;
        this.limits = limits;
        this.testLimits = testLimits;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        openedOn.serve(WorkflowImports.ImportN8n.class, this::importN8n);
    }

    private Future<ObjectNode> importN8n(WorkflowImports.ImportN8n ask) {
        var given = new ArrayList<JsonNode>();
        if (ask.workflows().isArray()) {
            ask.workflows().forEach(given::add);
        } else {
            given.add(ask.workflows());
        }
        if (given.size() > limits.workflowsMax()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "body/workflows Too big: expected at most " + limits.workflowsMax() + " workflows, found "
                            + given.size() + "; send them in several requests, or raise AP_IMPORT_WORKFLOWS_MAX"));
        }
        var translator = new WorkflowTranslator(limits.nodesMax(), Json.timestamp(clock.instant()));
        var result = Json.object();
        var flows = result.putArray("flows");
        var report = result.putObject("report");
        var workflows = report.putArray("workflows");
        var done = Future.succeededFuture(ImportFigures.of(List.of()));
        for (var workflow : given) {
            done = done.compose(figures -> translated(translator, workflow).compose(translated -> {
                describe(translated, workflows);
                return createAll(translated, ask, flows).map(_ -> figures.plus(translated.figures()));
            }));
        }
        return done.map(figures -> {
            report.put("flows", flows.size());
            report.set("nodes", figures.nodes());
            report.set("expressions", figures.expressions());
            return result;
        });
    }

    /** Translates on a worker thread: a large workflow takes longer than an event loop may be blocked. */
    private static Future<WorkflowImport> translated(WorkflowTranslator translator, JsonNode workflow) {
        return Vertx.currentContext().executeBlocking(() -> translator.translate(workflow), false);
    }

    private static void describe(WorkflowImport workflow, ArrayNode workflows) {
        var json = workflows
                .addObject()
                .put("name", workflow.name())
                .put("flows", workflow.flows().size());
        workflow.problems().forEach(json.putArray("problems")::add);
    }

    private record Draft(FlowImport flow, ObjectNode json) {}

    private Future<Void> createAll(WorkflowImport workflow, WorkflowImports.ImportN8n ask, ArrayNode flows) {
        var drafts = new ArrayList<Draft>();
        for (var flow : workflow.flows()) {
            var json = flows.addObject().put("displayName", flow.displayName());
            var report = flow.report();
            PinnedTest.add(flow, testLimits).ifPresent(report.withArray("differences")::add);
            json.set("report", report);
            drafts.add(new Draft(flow, json));
        }
        var tools = new HashMap<String, String>();
        Future<Void> done = Future.succeededFuture();
        // The flows of tools come first: steps of agents name their external ids.
        drafts.sort(Comparator.comparing(draft -> draft.flow().toolKey().isEmpty()));
        for (var draft : drafts) {
            done = done.compose(_ ->
                    create(draft.flow(), ask, draft.json(), tools).recover(failure -> refused(failure, draft.json())));
        }
        return done;
    }

    /** A flow that the server refuses is reported; an unavailable server ends the import. */
    private static Future<Void> refused(Throwable failure, ObjectNode json) {
        if (failure instanceof ApiException refusal && !ApiException.isUnavailable(refusal)) {
            json.put("error", refusal.code() + ": " + refusal.text());
            return Future.succeededFuture();
        }
        return Future.failedFuture(failure);
    }

    /** Replaces the keys of tools in the steps of agents by the external ids of their flows. */
    private static void link(JsonNode template, Map<String, String> tools) {
        for (var list : template.findValues("agentTools")) {
            for (var tool : list) {
                var id = tools.get(tool.path("externalFlowId").asText());
                if (id != null && tool instanceof ObjectNode object) {
                    object.put("externalFlowId", id);
                }
            }
        }
    }

    private Future<Void> create(
            FlowImport flow, WorkflowImports.ImportN8n ask, ObjectNode json, Map<String, String> tools) {
        link(flow.template(), tools);
        Flows.Build build;
        var metadata = Json.object().put("importedFrom", "n8n");
        var create = new Flows.Create(
                ask.by(), ask.projectId(), flow.displayName(), metadata, null, Optional.empty(), ask.folder(), null);
        try {
            build = Flows.Build.of(create, flow.template());
        } catch (ApiException refusal) {
            return Future.failedFuture(refusal);
        }
        if (ask.dryRun()) {
            return Future.succeededFuture();
        }
        return bus.ask(build, DEADLINE_MS).compose(created -> {
            var id = created.flow().id();
            if (!flow.toolKey().isEmpty()) {
                tools.put(flow.toolKey(), created.flow().externalId());
            }
            json.put("id", id);
            return saveSamples(flow, id, ask).compose(_ -> judge(id, json));
        });
    }

    private Future<Void> saveSamples(FlowImport flow, String id, WorkflowImports.ImportN8n ask) {
        Future<Void> saved = Future.succeededFuture();
        for (var sample : flow.samples().entrySet()) {
            var request = Json.object().put("stepName", sample.getKey()).put("type", "OUTPUT");
            request.set("payload", sample.getValue());
            saved = saved.compose(_ -> bus.ask(
                            new Flows.Apply(ask.by(), id, operation("SAVE_SAMPLE_DATA", request)), DEADLINE_MS)
                    .mapEmpty());
        }
        return saved;
    }

    private Future<Void> judge(String id, ObjectNode json) {
        return bus.ask(new Flows.Judge(id), DEADLINE_MS).map(verdict -> {
            var problems = json.putArray("problems");
            verdict.problems().forEach(problem -> problems.add(problem.toJson()));
            json.put("valid", problems.isEmpty());
            return null;
        });
    }

    private static ObjectNode operation(String type, ObjectNode request) {
        return Json.object().put("type", type).set("request", request);
    }
}
