package io.millrace.workspace.scim;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.vertx.core.buffer.Buffer;

/** Errors in the format of SCIM (RFC 7644, 3.12). */
final class ScimFailures {
    static final String CONTENT_TYPE = "application/scim+json; charset=utf-8";
    private static final String SCIM_TYPE = "scimType";
    private static final String MESSAGE = "message";
    private static final int CONFLICT = 409;

    private ScimFailures() {}

    static ApiException invalidValue(String message) {
        return refusal(ErrorCode.INVALID_INPUT, "invalidValue", message);
    }

    static ApiException invalidSyntax(String message) {
        return refusal(ErrorCode.INVALID_INPUT, "invalidSyntax", message);
    }

    static ApiException invalidPath(String message) {
        return refusal(ErrorCode.INVALID_INPUT, "invalidPath", message);
    }

    static ApiException noTarget() {
        return refusal(ErrorCode.INVALID_INPUT, "noTarget", "expected a path to remove");
    }

    static ApiException invalidFilter(String message) {
        return refusal(ErrorCode.INVALID_INPUT, "invalidFilter", message);
    }

    static ApiException taken(String message) {
        return refusal(ErrorCode.VALIDATION, "uniqueness", message);
    }

    static ApiException unknown(String resourceType, String id) {
        return ApiException.of(
                ErrorCode.ENTITY_NOT_FOUND, Json.object().put(MESSAGE, resourceType + " " + id + " not found"));
    }

    private static ApiException refusal(ErrorCode code, String scimType, String message) {
        return ApiException.of(code, Json.object().put(MESSAGE, message).put(SCIM_TYPE, scimType));
    }

    /** Renders any refusal, including those of the HTTP edge. */
    static ApiReply render(ApiException refusal) {
        var status = refusal.code().status();
        var body = Json.object();
        body.putArray("schemas").add("urn:ietf:params:scim:api:messages:2.0:Error");
        body.put("status", String.valueOf(status)).put("detail", refusal.text());
        var scimType = refusal.params() == null
                ? null
                : refusal.params().path(SCIM_TYPE).textValue();
        if (scimType != null) {
            body.put(SCIM_TYPE, scimType);
        } else if (status == CONFLICT) {
            body.put(SCIM_TYPE, refusal.code() == ErrorCode.VALIDATION ? "mutability" : "uniqueness");
        }
        return new ApiReply(status, Buffer.buffer(Json.bytes(body)), CONTENT_TYPE);
    }
}
