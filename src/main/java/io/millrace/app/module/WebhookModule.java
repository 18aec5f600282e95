package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.engine.run.ApprovalLinks;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.webhook.AppEventRoutes;
import io.millrace.engine.webhook.ApprovalLinkRoutes;
import io.millrace.engine.webhook.ApprovalRoutes;
import io.millrace.engine.webhook.HumanInputRoutes;
import io.millrace.engine.webhook.ResumeRoutes;
import io.millrace.engine.webhook.WebhookRoutes;
import java.util.List;

final class WebhookModule implements ServerModule {
    private final ServerContext context;

    WebhookModule(ServerContext context) {
        this.context = context;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        var settings = context.config().runs().webhooks();
        return List.of(
                new WebhookRoutes(
                        bus,
                        settings,
                        new RequestIds(context.linkSecrets()),
                        context.observation().meters()),
                new AppEventRoutes(bus, context.nodes().node().shards(), context.callerUrl(), settings),
                new HumanInputRoutes(bus),
                new ResumeRoutes(bus, context.nodes().node().shards(), settings),
                new ApprovalRoutes(bus, context.nodes().node().shards()),
                new ApprovalLinkRoutes(bus, new ApprovalLinks(context.linkSecrets()), settings));
    }
}
