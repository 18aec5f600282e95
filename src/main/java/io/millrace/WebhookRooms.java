package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.webhook.AppEventRoutes;
import io.millrace.webhook.HumanInputRoutes;
import io.millrace.webhook.ResumeRoutes;
import io.millrace.webhook.WebhookRoutes;
import java.util.List;

/** Where events come in, and callers wait for an answer. */
final class WebhookRooms implements Wing {
    private final Ground ground;

    WebhookRooms(Ground ground) {
        this.ground = ground;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        var settings = ground.config().webhooks();
        return List.of(
                new WebhookRoutes(bus, settings),
                new AppEventRoutes(bus, settings),
                new HumanInputRoutes(bus),
                new ResumeRoutes(bus, ground.node().shards(), settings));
    }
}
