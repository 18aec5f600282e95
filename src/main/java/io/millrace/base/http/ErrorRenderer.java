package io.millrace.base.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the body of an error, once, at the edge: the three API shapes of the contract (admin-api 1.5).
 *
 * <p>Anything but an {@link ApiException} is a defect: logged once with the request's id, and reported to the caller as a 500
 * without detail.
 */
public final class ErrorRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorRenderer.class);

    private ErrorRenderer() {}

    /** The refusal that a failure amounts to; a defect is logged here. */
    public static ApiException refusalOf(Throwable failure, String requestId) {
        if (failure instanceof ApiException refusal) {
            return refusal;
        }
        LOG.error("defect in request {}", requestId, failure);
        return ApiException.of(ErrorCode.INTERNAL, "An unexpected error occurred, request " + requestId);
    }

    public static ApiReply render(ApiException refusal) {
        return ApiReply.json(refusal.code().status(), body(refusal));
    }

    public static ObjectNode body(ApiException refusal) {
        var code = refusal.code();
        return switch (code.shape()) {
            case APPLICATION -> {
                var body = Json.object().put("code", code.wireCode());
                body.set("params", refusal.params());
                yield body;
            }
            case FRAMEWORK -> {
                var body = Json.object().put("statusCode", code.status());
                if (code.wireCode() != null) {
                    body.put("code", code.wireCode());
                }
                yield body.put("error", code.reason()).put("message", refusal.text());
            }
            case OAUTH -> Json.object().put("error", code.wireCode()).put("error_description", refusal.text());
        };
    }
}
