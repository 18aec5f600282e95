package io.millrace.integration.page;

import io.millrace.account.platform.Embedders;
import io.millrace.account.platform.Platforms;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.Call;
import io.millrace.base.http.HtmlPage;
import io.millrace.base.http.Reply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Routes of the pages (seed: sign-in options; contract admin-api 16.2, 32.6, 32.7), at the root of the host. */
public final class PageRoutes implements RouteGroup {
    private static final int FOUND = 302;

    private final Bus bus;
    private final boolean mails;
    private final Embedders embedders;
    private final Supplier<String> publicUrl;

    /**
     * @param mails whether there is a mail server, so that codes and links can be offered
     */
    public PageRoutes(Bus bus, boolean mails, Embedders embedders, Supplier<String> publicUrl) {
        this.bus = bus;
        this.mails = mails;
        this.embedders = embedders;
        this.publicUrl = publicUrl;
    }

    @Override
    public void mount(Routes routes) {
        var everywhere = routes.alsoAtRoot(context -> context.next());
        everywhere.get("/sign-in", Access.everybody(), _ -> true, (call, _) -> page(call, Pages::signIn));
        everywhere.get("/sign-up", Access.everybody(), _ -> true, (call, _) -> toSignIn(call));
        everywhere.get("/authenticate", Access.everybody(), _ -> true, (call, _) -> page(call, Pages::authenticate));
        everywhere.get("/invitation", Access.everybody(), _ -> true, (call, _) -> page(call, Pages::invitation));
        everywhere.get("/reset-password", Access.everybody(), _ -> true, (call, _) -> page(call, Pages::resetPassword));
        everywhere.get("/verify-email", Access.everybody(), _ -> true, (call, _) -> page(call, Pages::verifyEmail));
    }

    private Future<Reply> page(Call call, Function<Pages, HtmlPage> choice) {
        return bus.ask(new Platforms.Oldest(), call.deadlineMs())
                .map(platform -> choice.apply(new Pages(platform, mails, prefix(), embedders.of(platform)))
                        .reply(200, call.context().response()));
    }

    /** One screen for both; its query string is kept as it is (seed). */
    private Future<Reply> toSignIn(Call call) {
        var query = Optional.ofNullable(call.context().request().query())
                .map(text -> "?" + text)
                .orElse("");
        call.context().response().putHeader("Location", prefix() + "/sign-in" + query);
        return Future.succeededFuture(new Reply(FOUND, null, null));
    }

    /** Path in front of every path of this server; empty without one. */
    private String prefix() {
        var path = Optional.ofNullable(URI.create(publicUrl.get()).getRawPath()).orElse("");
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
