package io.millrace.account.mail;

import io.millrace.base.http.page.Html;
import java.util.stream.Collectors;

/**
 * A mail as plain text and as HTML. The HTML is tables and inline styles, which mail programs support; it loads no remote
 * resources, so that the sender cannot detect that the mail was opened.
 */
record LetterPage(Letter letter, Branding branding) {
    String text() {
        var text = new StringBuilder(letter.heading()).append("\n\n");
        letter.paragraphs().forEach(paragraph -> text.append(paragraph).append("\n\n"));
        letter.code().ifPresent(code -> text.append(code).append("\n\n"));
        letter.link()
                .ifPresent(link -> text.append(link.text())
                        .append(":\n")
                        .append(link.url())
                        .append("\n\n"));
        return text.append("-- \n")
                .append(branding.name())
                .append('\n')
                .append(letter.closing())
                .append('\n')
                .toString();
    }

    String html() {
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
                <meta name="color-scheme" content="light dark"><title>%s</title></head>
                <body style="margin:0;padding:24px 12px;background:#f3f1ec;color:#23272b;font:16px/1.5 system-ui,sans-serif">
                <table role="presentation" align="center" width="100%%" style="max-width:520px;background:#ffffff;\
                border:1px solid #d5d1c7;border-radius:12px"><tr><td style="padding:32px">
                <p style="margin:0 0 24px;font-weight:600;color:%s">%s</p>
                <h1 style="margin:0 0 12px;font-size:21px;line-height:1.3">%s</h1>
                %s<p style="margin:24px 0 0;font-size:13px;color:#5c656e">%s</p>
                </td></tr></table>
                </body></html>
                """.formatted(
                        Html.escape(letter.subject()),
                        branding.color(),
                        Html.escape(branding.name()),
                        Html.escape(letter.heading()),
                        main(),
                        Html.escape(letter.closing()));
    }

    private String main() {
        var paragraphs = letter.paragraphs().stream()
                .map(paragraph -> "<p style=\"margin:0 0 16px\">" + Html.escape(paragraph) + "</p>\n")
                .collect(Collectors.joining());
        return paragraphs
                + letter.code().map(LetterPage::code).orElse("")
                + letter.link().map(this::button).orElse("");
    }

    private static String code(String code) {
        return "<p style=\"margin:0 0 16px;font:600 32px/1.2 ui-monospace,monospace;letter-spacing:6px\">"
                + Html.escape(code) + "</p>\n";
    }

    private String button(Letter.Link link) {
        return "<p style=\"margin:0 0 16px\"><a href=\"" + Html.escape(link.url())
                + "\" style=\"display:inline-block;padding:10px 18px;border-radius:8px;color:#ffffff;background:"
                + branding.color() + ";text-decoration:none;font-weight:600\">" + Html.escape(link.text())
                + "</a></p>\n<p style=\"margin:0 0 16px;font-size:13px;color:#5c656e;overflow-wrap:anywhere\">"
                + Html.escape(link.url()) + "</p>\n";
    }
}
