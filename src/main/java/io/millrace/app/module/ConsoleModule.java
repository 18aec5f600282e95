package io.millrace.app.module;

import io.millrace.account.platform.Embedders;
import io.millrace.base.http.RouteGroup;
import io.millrace.integration.console.ConsoleRoutes;
import io.millrace.integration.console.GuestRoutes;
import java.util.List;

/**
 * The pages for guests, and the console's page and files. The last of the modules: its page answers requests without another
 * route.
 */
final class ConsoleModule implements ServerModule {
    private final ServerContext context;

    ConsoleModule(ServerContext context) {
        this.context = context;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var embedders =
                new Embedders(context.config().network().http().origins().embed());
        return List.of(
                new GuestRoutes(context.bus(), embedders),
                new ConsoleRoutes(
                        context.bus(),
                        embedders,
                        context.network().publicUrl(),
                        context.config().network().http().frontendUrl()));
    }
}
