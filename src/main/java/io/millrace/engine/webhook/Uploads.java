package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.engine.webhook.Webhooks.Upload;
import io.millrace.piece.file.FileMessages;
import io.vertx.core.Future;
import java.util.List;

/** Stores the files of a call and replaces them in the payload by their addresses (contract flows-and-engine 17.4). */
record Uploads(Bus bus) {
    record Owner(String projectId, String flowId, String stepName) {}

    Future<ObjectNode> keep(ObjectNode payload, List<Upload> uploads, Owner owner, long deadlineMs) {
        var ready = Future.succeededFuture(payload);
        for (var upload : uploads) {
            ready = ready.compose(_ -> keep(upload, owner, deadlineMs)).map(url -> put(payload, upload, url));
        }
        return ready;
    }

    private static ObjectNode put(ObjectNode payload, Upload upload, String url) {
        if (upload.field() == null) {
            var file = Json.object().put("fileUrl", url);
            payload.set("body", payload.get("body") instanceof ObjectNode remark ? file.setAll(remark) : file);
        } else {
            Envelope.add((ObjectNode) payload.get("body"), upload.field(), TextNode.valueOf(url));
        }
        return payload;
    }

    private Future<String> keep(Upload upload, Owner owner, long deadlineMs) {
        return bus.ask(
                new FileMessages.KeepStepFile(
                        owner.projectId(),
                        owner.flowId(),
                        owner.stepName(),
                        upload.fileName(),
                        upload.contentType(),
                        upload.data()),
                deadlineMs);
    }
}
