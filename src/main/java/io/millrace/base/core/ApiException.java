package io.millrace.base.core;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An error that is reported to the caller: an {@link ErrorCode} and its details.
 *
 * <p>Travels over the bus with code and params intact; has no stack, because it is an expected response and not a defect.
 */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final transient ObjectNode params;

    private ApiException(ErrorCode code, String message, ObjectNode params) {
        super(message == null ? code.name() : code.name() + ": " + message, null, false, false);
        this.code = code;
        this.params = params;
    }

    /** The message never carries a secret or a payload. */
    public static ApiException of(ErrorCode code, String message) {
        return new ApiException(code, message, Json.object().put("message", message));
    }

    public static ApiException of(ErrorCode code, ObjectNode params) {
        return new ApiException(code, params.path("message").asText(null), params);
    }

    public static ApiException of(ErrorCode code) {
        return new ApiException(code, null, Json.object());
    }

    /** A refusal whose {@code params} is null (INVALID_CREDENTIALS, contract admin-api 1.6). */
    public static ApiException bare(ErrorCode code) {
        return new ApiException(code, null, null);
    }

    /** 404: no such row, or not one that is visible to this caller. */
    public static ApiException notFound(String entityType, String entityId) {
        return of(
                ErrorCode.ENTITY_NOT_FOUND,
                Json.object().put("entityType", entityType).put("entityId", entityId));
    }

    public static boolean isNotFound(Throwable failure) {
        return failure instanceof ApiException refused && refused.code == ErrorCode.ENTITY_NOT_FOUND;
    }

    /**
     * Returns true if a part of the server is unavailable, so that a retry may succeed later. Includes OUTCOME_UNKNOWN: a
     * caller that retries after it must be idempotent.
     */
    public static boolean isUnavailable(Throwable failure) {
        return failure instanceof ApiException refused
                && switch (refused.code) {
                    case UNAVAILABLE, STORAGE_UNAVAILABLE, OUTCOME_UNKNOWN -> true;
                    default -> false;
                };
    }

    /** Returns true if the request may have taken effect although it failed. */
    public static boolean isOutcomeUnknown(Throwable failure) {
        return failure instanceof ApiException refused && refused.code == ErrorCode.OUTCOME_UNKNOWN;
    }

    /** The failure of a request that has no effect: UNAVAILABLE instead of OUTCOME_UNKNOWN, any other as it is. */
    public static Throwable withoutEffect(Throwable failure) {
        return failure instanceof ApiException refused && refused.code == ErrorCode.OUTCOME_UNKNOWN
                ? of(ErrorCode.UNAVAILABLE, refused.params)
                : failure;
    }

    /** Returns true if the file storage is unavailable or not configured. */
    public static boolean isStorageUnavailable(Throwable failure) {
        return failure instanceof ApiException refused && refused.code == ErrorCode.STORAGE_UNAVAILABLE;
    }

    public ErrorCode code() {
        return code;
    }

    /** Details of the refusal, or null. */
    public ObjectNode params() {
        return params;
    }

    public String text() {
        return params == null ? code.name() : params.path("message").asText(code.name());
    }
}
