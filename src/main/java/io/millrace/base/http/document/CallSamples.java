package io.millrace.base.http.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Samples of code that calls an operation. Parameters of the path are in braces, as in the document; the key is taken from
 * the environment, so that no sample contains one in clear text. Pure.
 */
final class CallSamples {
    private static final String KEY = "MILLRACE_API_KEY";
    private static final String SERVER = "http://localhost:8080";

    private CallSamples() {}

    record Sample(String language, String text) {}

    static List<Sample> of(ApiOperation operation, String path, CallBody body) {
        var method =
                operation.method().equals("any") ? "POST" : operation.method().toUpperCase(Locale.ROOT);
        var call = new Call(method, SERVER + path, body, !operation.isPublic());
        var samples = new ArrayList<>(List.of(
                new Sample("curl", curl(call)),
                new Sample("JavaScript", javaScript(call)),
                new Sample(
                        "Python",
                        body instanceof CallBody.OfForm(var fields) ? requests(call, fields) : python(call))));
        // The JDK's client has no forms with files.
        if (!(body instanceof CallBody.OfForm)) {
            samples.add(new Sample("Java", java(call)));
        }
        return List.copyOf(samples);
    }

    private record Call(String method, String url, CallBody body, boolean hasKey) {
        String json() {
            return body instanceof CallBody.OfJson(var text) ? text : "";
        }

        boolean hasJson() {
            return !json().isEmpty();
        }
    }

    private static String curl(Call call) {
        var text = new StringBuilder("curl -X " + call.method() + " '" + call.url() + "'");
        if (call.hasKey()) {
            text.append(" \\\n  -H \"Authorization: Bearer $" + KEY + "\"");
        }
        switch (call.body()) {
            case CallBody.None _ -> {}
            case CallBody.OfJson(var json) ->
                text.append(" \\\n  -H 'Content-Type: application/json' \\\n  -d '")
                        .append(json.replace("'", "'\\''"))
                        .append("'");
            case CallBody.OfForm(var fields) ->
                fields.forEach(field ->
                        text.append(" \\\n  -F ").append(field.name()).append(field.isFile() ? "=@FILE" : "=TEXT"));
        }
        return text.toString();
    }

    private static String javaScript(Call call) {
        var text = new StringBuilder();
        if (call.body() instanceof CallBody.OfForm(var fields)) {
            text.append("import { openAsBlob } from 'node:fs';\n\nconst body = new FormData();\n");
            fields.forEach(field -> text.append("body.append('")
                    .append(field.name())
                    .append(field.isFile() ? "', await openAsBlob('FILE'), 'FILE');\n" : "', 'TEXT');\n"));
        }
        text.append(
                "const answer = await fetch('" + call.url() + "', {\n  method: '" + call.method() + "',\n  headers: {");
        text.append(call.hasKey() ? "\n    Authorization: `Bearer ${process.env." + KEY + "}`," : "");
        text.append(call.hasJson() ? "\n    'Content-Type': 'application/json'," : "")
                .append("\n  },\n");
        switch (call.body()) {
            case CallBody.None _ -> {}
            case CallBody.OfJson(var json) ->
                text.append("  body: JSON.stringify(")
                        .append(json.replace("\n", "\n  "))
                        .append("),\n");
            case CallBody.OfForm _ -> text.append("  body,\n");
        }
        return text.append("});\nif (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);\n")
                .append("console.log(await answer.json());")
                .toString();
    }

    /** A form by the most common library, since the language has no means of its own. */
    private static String requests(Call call, List<CallBody.Field> fields) {
        var text = new StringBuilder("import os, requests\n\nanswer = requests.request(\n    '" + call.method() + "', '"
                + call.url() + "',\n");
        text.append(call.hasKey() ? "    headers={'Authorization': 'Bearer ' + os.environ['" + KEY + "']},\n" : "");
        text.append(entries("data", "'TEXT'", fields, false))
                .append(entries("files", "open('FILE', 'rb')", fields, true));
        return text.append(")\nanswer.raise_for_status()\nprint(answer.json())").toString();
    }

    private static String entries(String argument, String value, List<CallBody.Field> fields, boolean areFiles) {
        var entries = fields.stream()
                .filter(field -> field.isFile() == areFiles)
                .map(field -> "'" + field.name() + "': " + value)
                .collect(Collectors.joining(", "));
        return entries.isEmpty() ? "" : "    " + argument + "={" + entries + "},\n";
    }

    /** The body stays JSON: Python spells true, false and null otherwise. */
    private static String python(Call call) {
        var text = new StringBuilder("import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    '"
                + call.url() + "',\n    method='" + call.method() + "',\n");
        if (call.hasJson()) {
            text.append("    data=r'''").append(call.json()).append("'''.encode(),\n");
        }
        text.append("    headers={\n");
        text.append(call.hasKey() ? "        'Authorization': 'Bearer ' + os.environ['" + KEY + "'],\n" : "");
        text.append(call.hasJson() ? "        'Content-Type': 'application/json',\n" : "");
        return text.append("    },\n)\nwith urllib.request.urlopen(request) as answer:\n    print(json.load(answer))")
                .toString();
    }

    private static String java(Call call) {
        var text = new StringBuilder("var request = HttpRequest.newBuilder(URI.create(\"" + call.url() + "\"))\n");
        if (call.hasKey()) {
            text.append("        .header(\"Authorization\", \"Bearer \" + System.getenv(\"" + KEY + "\"))\n");
        }
        if (call.hasJson()) {
            text.append("        .header(\"Content-Type\", \"application/json\")\n");
        }
        var publisher = call.hasJson()
                ? "HttpRequest.BodyPublishers.ofString(\"\"\"\n                "
                        + call.json().replace("\\", "\\\\").replace("\n", "\n                ") + "\"\"\")"
                : "HttpRequest.BodyPublishers.noBody()";
        return text.append("        .method(\"" + call.method() + "\", ")
                .append(publisher)
                .append(")\n        .build();\n")
                .append(
                        "var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());\n")
                .append("System.out.println(answer.statusCode() + \" \" + answer.body());")
                .toString();
    }
}
