package io.millrace.base.http.document;

import java.util.List;
import java.util.Locale;

/**
 * How programs call an operation. Parameters of the path stand in braces, as in the document; the key is taken from the
 * environment, so that no sample teaches to write one down. Pure.
 */
final class CallSamples {
    private static final String KEY = "MILLRACE_API_KEY";
    private static final String SERVER = "http://localhost:8080";

    private CallSamples() {}

    record Sample(String language, String text) {}

    /** @param body JSON; empty for none */
    static List<Sample> of(Operation operation, String path, String body) {
        var method =
                operation.method().equals("any") ? "POST" : operation.method().toUpperCase(Locale.ROOT);
        var call = new Call(method, SERVER + path, body, !operation.isPublic());
        return List.of(
                new Sample("curl", curl(call)),
                new Sample("JavaScript", javaScript(call)),
                new Sample("Python", python(call)),
                new Sample("Java", java(call)));
    }

    private record Call(String method, String url, String body, boolean hasKey) {
        boolean hasBody() {
            return !body.isEmpty();
        }
    }

    private static String curl(Call call) {
        var text = new StringBuilder("curl -X " + call.method() + " '" + call.url() + "'");
        if (call.hasKey()) {
            text.append(" \\\n  -H \"Authorization: Bearer $" + KEY + "\"");
        }
        if (call.hasBody()) {
            text.append(" \\\n  -H 'Content-Type: application/json' \\\n  -d '")
                    .append(call.body().replace("'", "'\\''"))
                    .append("'");
        }
        return text.toString();
    }

    private static String javaScript(Call call) {
        var text = new StringBuilder(
                "const answer = await fetch('" + call.url() + "', {\n  method: '" + call.method() + "',\n  headers: {");
        text.append(call.hasKey() ? "\n    Authorization: `Bearer ${process.env." + KEY + "}`," : "");
        text.append(call.hasBody() ? "\n    'Content-Type': 'application/json'," : "")
                .append("\n  },\n");
        if (call.hasBody()) {
            text.append("  body: JSON.stringify(")
                    .append(call.body().replace("\n", "\n  "))
                    .append("),\n");
        }
        return text.append("});\nif (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);\n")
                .append("console.log(await answer.json());")
                .toString();
    }

    /** The body stays JSON: Python spells true, false and null otherwise. */
    private static String python(Call call) {
        var text = new StringBuilder("import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    '"
                + call.url() + "',\n    method='" + call.method() + "',\n");
        if (call.hasBody()) {
            text.append("    data=r'''").append(call.body()).append("'''.encode(),\n");
        }
        text.append("    headers={\n");
        text.append(call.hasKey() ? "        'Authorization': 'Bearer ' + os.environ['" + KEY + "'],\n" : "");
        text.append(call.hasBody() ? "        'Content-Type': 'application/json',\n" : "");
        return text.append("    },\n)\nwith urllib.request.urlopen(request) as answer:\n    print(json.load(answer))")
                .toString();
    }

    private static String java(Call call) {
        var text = new StringBuilder("var request = HttpRequest.newBuilder(URI.create(\"" + call.url() + "\"))\n");
        if (call.hasKey()) {
            text.append("        .header(\"Authorization\", \"Bearer \" + System.getenv(\"" + KEY + "\"))\n");
        }
        if (call.hasBody()) {
            text.append("        .header(\"Content-Type\", \"application/json\")\n");
        }
        var publisher = call.hasBody()
                ? "HttpRequest.BodyPublishers.ofString(\"\"\"\n                "
                        + call.body().replace("\\", "\\\\").replace("\n", "\n                ") + "\"\"\")"
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
