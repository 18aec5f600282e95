package io.millrace.integration.console;

import io.millrace.account.platform.Platform;
import io.millrace.base.http.page.Html;
import java.util.Optional;

/**
 * Brand of a guest page. Embedded in the page, because guests have no access to the platform's API.
 *
 * @param color of buttons, as #rrggbb; empty for the usual one
 * @param logo address of the picture; empty for none
 * @param icon address of the picture in the tab
 */
record GuestBrand(String name, String color, String logo, String icon) {
    private static final String USUAL_ICON = "/assets/favicon.svg";

    static GuestBrand of(Optional<Platform> platform) {
        return platform.map(known -> new GuestBrand(
                        known.name(),
                        known.looks().primaryColor(),
                        known.looks().logoIconUrl(),
                        known.looks().favIconUrl()))
                .orElseGet(() -> new GuestBrand("Millrace", "", "/assets/logo-icon.svg", USUAL_ICON));
    }

    /** The page with everything of the brand in its places, escaped; addresses lead to the root of this server. */
    String fill(String page, String prefix) {
        return page.replace("{{logo}}", Html.escape(from(prefix, logo)))
                .replace("{{icon}}", Html.escape(from(prefix, icon)))
                .replace("{{color}}", Html.escape(color == null ? "" : color))
                .replace("{{name}}", Html.escape(name));
    }

    private static String from(String prefix, String url) {
        if (url == null) {
            return "";
        }
        return url.startsWith("/") ? prefix + url : url;
    }
}
