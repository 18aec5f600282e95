package io.millrace.base.core.text;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A Content-Type: the type, its charset and boundary, and whether its content is text.
 *
 * @param name type and subtype in lower case; empty when the header is missing or malformed
 */
public record MediaType(String name, Optional<String> charset, Optional<String> boundary) {
    /** The representation of the content in a flow. */
    public enum Content {
        TEXT,
        /** Bytes. */
        BINARY,
        /** Not declared: the bytes decide. */
        UNKNOWN
    }

    private static final Pattern NAME = Pattern.compile("[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+");

    private static final Pattern SUBTYPE_ENDS = Pattern.compile("[.+]|^x-|-(?=seq$|lines$|dtd$|query$|header$)");

    /** Registered top-level types whose content is not text unless the subtype says so. */
    private static final Set<String> BINARY_TYPES =
            Set.of("application", "image", "audio", "video", "font", "model", "haptics");

    /** Parts of subtypes of application whose content is text. */
    private static final Set<String> TEXT_PARTS = Set.of(
            "json",
            "json5",
            "jsonl",
            "ndjson",
            "jsonlines",
            "xml",
            "yaml",
            "yml",
            "toml",
            "csv",
            "tsv",
            "text",
            "txt",
            "plain",
            "html",
            "xhtml",
            "javascript",
            "ecmascript",
            "typescript",
            "graphql",
            "sql",
            "form",
            "urlencoded",
            "edifact",
            "x12",
            "hl7",
            "jwt",
            "jose",
            "pem",
            "sh",
            "sparql",
            "query",
            "turtle",
            "n-triples",
            "vcard",
            "calendar",
            "ldif",
            "sdp",
            "smil",
            "soap",
            "wsdl",
            "dtd",
            "http",
            "uri-list",
            "properties",
            "ini",
            "rtf",
            "postscript",
            "logfmt",
            "openmetrics");

    /** Reads a header, which may be null. */
    public static MediaType of(String header) {
        var read = HeaderValue.of(header);
        var isType = NAME.matcher(read.value()).matches();
        return new MediaType(
                isType ? read.value() : "",
                read.parameter("charset").filter(name -> !name.isBlank()),
                read.parameter("boundary").filter(name -> !name.isBlank()));
    }

    public boolean isJson() {
        return name.equals("application/json") || name.equals("text/json") || name.endsWith("+json");
    }

    public boolean isHtml() {
        return name.equals("text/html") || name.equals("application/xhtml+xml");
    }

    public boolean isForm() {
        return name.equals("application/x-www-form-urlencoded");
    }

    public boolean isMultipart() {
        return name.equals("multipart/form-data");
    }

    /** True if content of this type is text (contract flows-and-engine 17.4). */
    public Content content() {
        var slash = name.indexOf('/');
        var type = slash < 0 ? "" : name.substring(0, slash);
        if (type.equals("text") || type.equals("message") || type.equals("multipart")) {
            return Content.TEXT;
        }
        if (!BINARY_TYPES.contains(type)) {
            return Content.UNKNOWN;
        }
        var subtype = name.substring(slash + 1);
        var isText = type.equals("application")
                && (subtype.equals("x-www-form-urlencoded")
                        || TEXT_PARTS.contains(subtype)
                        || SUBTYPE_ENDS.splitAsStream(subtype).anyMatch(TEXT_PARTS::contains));
        return isText ? Content.TEXT : Content.BINARY;
    }

    public String extension() {
        var subtype = name.substring(name.indexOf('/') + 1);
        return subtype.matches("[a-z0-9]{1,10}") ? subtype : "bin";
    }
}
