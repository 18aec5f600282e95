package io.millrace.integration.console;

import io.millrace.account.platform.Embedders;
import io.millrace.account.platform.Platforms;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.page.Html;
import io.millrace.integration.console.ConsoleFiles.ConsoleFile;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The console's page and files, at the root of the host. The page answers every navigation request without another route; the
 * console selects the view. Mounted last.
 */
public final class ConsoleRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 10_000;
    private static final int FOUND = 302;
    private static final int NOT_MODIFIED = 304;
    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    /** A policy cannot name an IPv6 address. */
    private static final Pattern NAMED_HOST = Pattern.compile("[A-Za-z0-9.-]+(?::[0-9]+)?");

    private static final Pattern HASHED = Pattern.compile("-[A-Z0-9]{8}\\.[a-z]+$");

    private final Bus bus;
    private final Embedders embedders;
    private final Supplier<String> publicUrl;
    private final Optional<String> frontendUrl;
    private final ConsoleFiles files;

    /** @param frontendUrl configured address of the console; empty if not set */
    public ConsoleRoutes(Bus bus, Embedders embedders, Supplier<String> publicUrl, Optional<String> frontendUrl) {
        this.bus = bus;
        this.embedders = embedders;
        this.publicUrl = publicUrl;
        this.frontendUrl = frontendUrl;
        this.files = ConsoleFiles.ofThisBuild();
    }

    @Override
    public void mount(Routes routes) {
        var everywhere = routes.alsoAtRoot(RoutingContext::next);
        everywhere.get("/sign-up", Access.everybody(), _ -> true, (call, _) -> toSignIn(call));
        var root = routes.onlyAtRoot();
        root.rawGet("/assets/:name", this::file);
        root.rawGetRest("/:page", this::page);
    }

    /** One screen for both; its query string is kept unchanged (seed). */
    private Future<ApiReply> toSignIn(ApiCall call) {
        var query = Optional.ofNullable(call.context().request().query())
                .map(text -> "?" + text)
                .orElse("");
        call.context().response().putHeader("Location", prefix() + "/sign-in" + query);
        return Future.succeededFuture(new ApiReply(FOUND, null, null));
    }

    /** If the name contains a content hash, clients may cache the file without revalidation. */
    private void file(RoutingContext context) {
        files.find(context.vertx(), context.pathParam("name"))
                .onSuccess(file -> file.ifPresentOrElse(found -> send(context, found), () -> context.fail(404)))
                .onFailure(context::fail);
    }

    private static void send(RoutingContext context, ConsoleFile file) {
        var tag = file.tag();
        var response = context.response()
                .putHeader(
                        "Cache-Control",
                        HASHED.matcher(context.pathParam("name")).find() ? FOR_EVER : "no-cache")
                .putHeader("ETag", tag)
                .putHeader("Vary", "Accept-Encoding")
                .putHeader("X-Content-Type-Options", "nosniff");
        if (PageAnswer.isKnown(context.request(), tag)) {
            response.setStatusCode(NOT_MODIFIED).end();
            return;
        }
        response.putHeader("Content-Type", file.contentType());
        var compressed = file.compressed();
        if (compressed != null && takesGzip(context)) {
            response.putHeader("Content-Encoding", "gzip");
            PageAnswer.end(context.request(), compressed);
        } else {
            PageAnswer.end(context.request(), file.plain());
        }
    }

    private void page(RoutingContext context) {
        var path = context.request().path();
        var accepted =
                Optional.ofNullable(context.request().getHeader("Accept")).orElse("");
        // Health checks of load balancers request the root without an Accept header.
        var isPage = path.equals("/") || accepted.contains("text/html");
        if (path.equals("/robots.txt")) {
            // Pages of a server are not for search engines.
            context.response()
                    .putHeader("Content-Type", "text/plain; charset=utf-8")
                    .end("User-agent: *\nDisallow: /\n");
            return;
        }
        if (path.equals("/favicon.ico")) {
            context.response()
                    .setStatusCode(FOUND)
                    .putHeader("Location", prefix() + "/assets/favicon.svg")
                    .end();
            return;
        }
        if (path.equals("/api") || path.startsWith("/api/") || !isPage) {
            context.next();
            return;
        }
        bus.ask(new Platforms.Oldest(), DEADLINE_MS)
                .onSuccess(platform -> show(context, embedders.of(platform)))
                .onFailure(context::fail);
    }

    private void show(RoutingContext context, List<String> framers) {
        var html = Buffer.buffer(files.page(Html.escape(prefix())));
        context.response().putHeader("Content-Security-Policy", policy(framers, scripts(context)));
        PageAnswer.send(context.request(), html, framers);
    }

    /** Scripts and styles of this server's files only, none in the page; pictures may also be made in the browser. */
    private static String policy(List<String> framers, String scripts) {
        return "default-src 'none'; script-src " + scripts
                + "; style-src 'self'; img-src 'self' data: blob:; font-src 'self';"
                + " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors "
                + PageAnswer.ancestors(framers);
    }

    /**
     * Script sources of the content security policy: only the console's own files of this server, not uploaded files. This
     * needs the server's address as the browser sees it; behind a proxy that changes the address, the policy allows the same
     * origin.
     */
    private String scripts(RoutingContext context) {
        var host = Optional.ofNullable(context.request().authority())
                .map(Object::toString)
                .orElse("");
        return frontendUrl
                .filter(url -> host.equals(URI.create(url).getRawAuthority()))
                .filter(_ -> NAMED_HOST.matcher(host).matches())
                .map(url -> url + "/assets/")
                .orElse("'self'");
    }

    private static boolean takesGzip(RoutingContext context) {
        var taken = context.request().getHeader("Accept-Encoding");
        return taken != null && taken.contains("gzip");
    }

    private String prefix() {
        var path = Optional.ofNullable(URI.create(publicUrl.get()).getRawPath()).orElse("");
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
