package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Waitpoints;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parsed address of a paused run (contract flows-and-engine 12.4). */
record ResumeAddress(String runId, Waitpoints.Target target, ObjectNode query) {
    private static final Pattern PATH = Pattern.compile(
            "/(?:api/)?v1/flow-runs/(?<run>[0-9A-Za-z]{21})/(?<kind>waitpoints|requests)/(?<id>[0-9A-Za-z_.-]{1,200})"
                    + "(?:/sync|/confirm)?");

    static Optional<ResumeAddress> read(String url, String publicUrl) {
        if (!url.startsWith(publicUrl + "/")) {
            return Optional.empty();
        }
        var target = url.substring(publicUrl.length());
        var mark = target.indexOf('?');
        var path = PATH.matcher(mark < 0 ? target : target.substring(0, mark));
        if (!path.matches() || !Ids.isId(path.group("run"))) {
            return Optional.empty();
        }
        var query = Json.object();
        if (mark >= 0) {
            Envelope.addAll(query, target.substring(mark + 1), StandardCharsets.UTF_8);
        }
        return Optional.of(new ResumeAddress(path.group("run"), targetOf(path), query));
    }

    /** Target of the address of a run under any host and path: the server may have another address for its pieces. */
    static Optional<Waitpoints.Target> targetOf(String url, String runId) {
        var mark = url.indexOf('?');
        var whole = mark < 0 ? url : url.substring(0, mark);
        var start = whole.lastIndexOf("/v1/flow-runs/");
        var path = PATH.matcher(start < 0 ? "" : whole.substring(start));
        return path.matches() && path.group("run").equals(runId) ? Optional.of(targetOf(path)) : Optional.empty();
    }

    private static Waitpoints.Target targetOf(Matcher path) {
        return path.group("kind").equals("waitpoints")
                ? new Waitpoints.Target.OfWaitpoint(path.group("id"))
                : new Waitpoints.Target.OfRequest(path.group("id"));
    }
}
