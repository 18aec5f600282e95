package io.millrace.integration.console;

import io.millrace.account.platform.Embedders;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.Platforms;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.page.PictureSources;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/**
 * Pages of forms and chats for guests (decision 0140). They have no session and set no cookie; a separate script reads the flow
 * from the API. Also served at the host of callers.
 */
public final class GuestRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 10_000;

    private final Bus bus;
    private final Embedders embedders;
    private final ConsoleFiles files = ConsoleFiles.ofThisBuild();

    public GuestRoutes(Bus bus, Embedders embedders) {
        this.bus = bus;
        this.embedders = embedders;
    }

    @Override
    public void mount(Routes routes) {
        var root = routes.onlyAtRoot();
        root.rawGet("/forms/:flowId", this::page);
        root.rawGet("/chats/:flowId", this::page);
    }

    /** Sends the page for every id: the page itself requests the form and reports a missing one. */
    private void page(RoutingContext context) {
        platform(context.pathParam("flowId"))
                .onSuccess(platform -> show(context, platform))
                .onFailure(context::fail);
    }

    /** Platform of the flow; the oldest platform if the flow is unknown. */
    private Future<Optional<Platform>> platform(String flowId) {
        var oldest = new Platforms.Oldest();
        return Ids.isId(flowId)
                ? platformOf(flowId)
                        .recover(failure -> ApiException.isNotFound(failure)
                                ? bus.ask(oldest, DEADLINE_MS)
                                : Future.failedFuture(failure))
                : bus.ask(oldest, DEADLINE_MS);
    }

    private Future<Optional<Platform>> platformOf(String flowId) {
        return bus.ask(new Flows.Get(flowId, Optional.empty()), DEADLINE_MS)
                .compose(flow -> bus.ask(new Projects.Find(flow.flow().projectId()), DEADLINE_MS))
                .compose(project -> bus.ask(new Platforms.Get(project.platformId()), DEADLINE_MS))
                .map(Optional::of);
    }

    private void show(RoutingContext context, Optional<Platform> platform) {
        var brand = GuestBrand.of(platform);
        var framers = embedders.of(platform);
        // Relative, so that the page works at every host and below every path that leads to this server.
        var prefix = PictureSources.root(context.request().path());
        context.response().putHeader("Content-Security-Policy", policy(brand, framers));
        PageAnswer.send(context.request(), Buffer.buffer(files.guestPage(prefix, brand)), framers);
    }

    private static String policy(GuestBrand brand, List<String> framers) {
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src "
                + PictureSources.of(brand.logo(), brand.icon())
                + " data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors "
                + PageAnswer.ancestors(framers);
    }
}
