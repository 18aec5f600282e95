package io.millrace.engine.webhook;

import io.millrace.account.platform.Platform;
import io.millrace.account.platform.Platforms;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.page.Html;
import io.millrace.base.http.page.HtmlPage;
import io.millrace.base.http.page.PictureSources;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Name, color and logo on a decision page.
 *
 * @param project name of the project that asks; empty when it is not known
 * @param color of the main button, as #rrggbb; empty for the usual one
 * @param logo address of the picture; may be empty
 */
record ConfirmBrand(String name, Optional<String> project, Optional<String> color, String logo) {
    static final ConfirmBrand USUAL =
            new ConfirmBrand("Millrace", Optional.empty(), Optional.empty(), "/assets/logo-icon.svg");

    private static final String USUAL_COLOR = "#2f6f5e";
    private static final Pattern COLOR = Pattern.compile("#[0-9a-fA-F]{6}");

    static Future<ConfirmBrand> of(Bus bus, String projectId, long deadlineMs) {
        return bus.ask(new Projects.Find(projectId), deadlineMs)
                .compose(project -> bus.ask(new Platforms.Get(project.platformId()), deadlineMs)
                        .map(platform -> of(platform, project.displayName())));
    }

    private static ConfirmBrand of(Platform platform, String project) {
        var looks = platform.looks();
        var color = Optional.ofNullable(looks.primaryColor())
                .filter(shade -> COLOR.matcher(shade).matches())
                .filter(shade -> !shade.equalsIgnoreCase(USUAL_COLOR));
        return new ConfirmBrand(
                platform.name(), Optional.of(project), color, looks.logoIconUrl() == null ? "" : looks.logoIconUrl());
    }

    /** Text on the color is black or white, for contrast. */
    String style() {
        return color.map(shade -> ":root{--accent:" + shade + ";--on-accent:" + HtmlPage.readableOn(shade) + "}")
                .orElse("");
    }

    String picture(String path) {
        return logo.isEmpty() ? "" : "<img src=\"" + Html.escape(PictureSources.relative(logo, path)) + "\" alt=\"\">";
    }
}
