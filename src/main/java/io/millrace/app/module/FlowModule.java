package io.millrace.app.module;

import io.millrace.authoring.flow.FlowCheckService;
import io.millrace.authoring.flow.FlowFolders;
import io.millrace.authoring.flow.FlowPublishRules;
import io.millrace.authoring.flow.FlowRoutes;
import io.millrace.authoring.flow.FlowService;
import io.millrace.authoring.flow.agent.FlowAgents;
import io.millrace.authoring.flow.editor.ExpressionReader;
import io.millrace.authoring.flow.editor.FlowValidator;
import io.millrace.authoring.flow.editor.PublishCheck;
import io.millrace.authoring.flow.limit.FlowLimitRoutes;
import io.millrace.authoring.flow.limit.FlowLimitService;
import io.millrace.authoring.flow.sample.SampleDataRoutes;
import io.millrace.authoring.flow.sample.SampleDataService;
import io.millrace.authoring.folder.FolderRoutes;
import io.millrace.authoring.folder.FolderService;
import io.millrace.authoring.importer.ImportRoutes;
import io.millrace.authoring.importer.ImportService;
import io.millrace.authoring.table.TablesInFolders;
import io.millrace.authoring.template.TemplateRoutes;
import io.millrace.authoring.template.TemplateService;
import io.millrace.authoring.upgrade.PieceUpgradeRoutes;
import io.millrace.authoring.upgrade.PieceUpgradeService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.RowBound;
import io.millrace.engine.trigger.TriggerService;
import io.millrace.integration.badge.BadgeService;
import io.millrace.integration.release.GitRemovalOutbox;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.file.FileService;
import java.util.List;

final class FlowModule implements ServerModule {
    private final ServerContext context;
    private final FlowService flows;
    private final List<BusService> busServices;

    FlowModule(
            ServerContext context,
            CodeModule code,
            PieceCatalogue pieces,
            TriggerService triggers,
            FlowAgents agents,
            FileService files) {
        this.context = context;
        var bus = context.bus();
        var database = context.database();
        var clock = context.clock();
        flows = new FlowService(
                bus,
                database,
                new FlowValidator(pieces::find),
                new PublishCheck(ExpressionReader.ofGrammar()),
                code.programs(),
                triggers,
                agents,
                files,
                context.security().auditLog(),
                new GitRemovalOutbox(),
                new FlowPublishRules(
                        context.config().runs().engine().publishing().enableOnPublish(),
                        context.config().runs().triggers().hooksTimeout(),
                        context.nodes().node().isAlone()),
                context.flowTestLimits(),
                context.projectRows(),
                clock);
        busServices = List.of(
                flows,
                new PieceUpgradeService(),
                new FlowCheckService(bus, pieces::find, agents),
                new TemplateService(
                        database,
                        new RowBound(
                                context.config().content().bounds().platform().templatesMax(), "AP_TEMPLATES_MAX"),
                        clock),
                new ImportService(bus, context.config().content().imports(), context.flowTestLimits(), clock),
                new FlowLimitService(bus, database, clock),
                new FolderService(
                        bus,
                        database,
                        new FlowFolders(),
                        new TablesInFolders(),
                        context.security().auditLog(),
                        context.projectRows(),
                        clock),
                new SampleDataService(database, files, clock),
                new BadgeService(database, pieces::find, clock));
    }

    FlowService flows() {
        return flows;
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new FlowRoutes(bus),
                new ImportRoutes(bus),
                new FlowLimitRoutes(bus),
                new PieceUpgradeRoutes(bus),
                new TemplateRoutes(bus, context.clock()),
                new FolderRoutes(bus),
                new SampleDataRoutes(bus));
    }
}
