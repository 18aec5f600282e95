package io.millrace;

import io.millrace.badge.BadgeService;
import io.millrace.file.FileService;
import io.millrace.flow.ExpressionReader;
import io.millrace.flow.FlowLimitRoutes;
import io.millrace.flow.FlowLimitService;
import io.millrace.flow.FlowPublishRules;
import io.millrace.flow.FlowRoutes;
import io.millrace.flow.FlowService;
import io.millrace.flow.FlowValidator;
import io.millrace.flow.FolderRoutes;
import io.millrace.flow.FolderService;
import io.millrace.flow.PublishCheck;
import io.millrace.flow.SampleDataRoutes;
import io.millrace.flow.SampleDataService;
import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.piece.PieceCatalogue;
import io.millrace.template.TemplateRoutes;
import io.millrace.template.TemplateService;
import io.millrace.trigger.TriggerService;
import java.util.List;

/** Flows, and what belongs to one while it is built. */
final class FlowRooms implements Wing {
    private final Ground ground;
    private final FlowService flows;
    private final List<Desk> desks;

    FlowRooms(Ground ground, PieceCatalogue pieces, TriggerService triggers, FileService files) {
        this.ground = ground;
        var bus = ground.bus();
        var database = ground.database();
        var clock = ground.clock();
        flows = new FlowService(
                bus,
                database,
                new FlowValidator(pieces::find),
                new PublishCheck(ExpressionReader.ofGrammar()),
                triggers,
                files,
                ground.trail(),
                new FlowPublishRules(
                        ground.config().engine().enableOnPublish(),
                        ground.config().triggers().hooksTimeout(),
                        ground.node().isAlone()),
                clock);
        desks = List.of(
                flows,
                new TemplateService(database, clock),
                new FlowLimitService(bus, database, clock),
                new FolderService(bus, database, ground.trail(), clock),
                new SampleDataService(database, files, clock),
                new BadgeService(database, pieces::find, clock));
    }

    FlowService flows() {
        return flows;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(
                new FlowRoutes(bus),
                new FlowLimitRoutes(bus),
                new TemplateRoutes(bus, ground.clock()),
                new FolderRoutes(bus),
                new SampleDataRoutes(bus));
    }
}
