package io.millrace.base.core;

/**
 * Error codes of the API, with their kind and status (contract admin-api 1.5, 1.6).
 *
 * <p>A module adds the code it needs in the same change as the rule that raises it. Bodies are made once, at the edge.
 */
public enum ErrorCode {
    AUTHENTICATION(401),
    INVALID_API_KEY(401),
    INVALID_BEARER_TOKEN(401),
    INVALID_CREDENTIALS(401),
    QUOTA_EXCEEDED(402),
    FEATURE_DISABLED(402),
    AUTHORIZATION(403),
    PERMISSION_DENIED(403),
    SESSION_EXPIRED(403),
    EMAIL_IS_NOT_VERIFIED(403),
    USER_IS_INACTIVE(403),
    DOMAIN_NOT_ALLOWED(403),
    EMAIL_AUTH_DISABLED(403),
    INVITATION_ONLY_SIGN_UP(403),
    ENTITY_NOT_FOUND(404),
    EXISTING_USER(409),
    EXISTING_ALERT_CHANNEL(409),
    PROJECT_EXTERNAL_ID_ALREADY_EXISTS(409),
    FLOW_OPERATION_IN_PROGRESS(409),
    FLOW_TESTS_FAILED(409),
    VALIDATION(409),
    INVALID_OTP(410),
    FLOW_VERSION_CHANGED(412),
    FLOW_RUN_RETRY_OUTSIDE_RETENTION(410),
    FLOW_OPERATION_INVALID(400),
    TEST_TRIGGER_FAILED(400),
    INVALID_SAML_RESPONSE(400),
    INVALID_APP_CONNECTION(400),
    INVALID_CLAIM(400),
    INVALID_CLOUD_CLAIM(400),
    INVALID_AI_PROVIDER_CREDENTIALS(400),
    AI_PROVIDER_NOT_SUPPORTED(400),
    SECRET_MANAGER_CONNECTION_FAILED(400),
    SECRET_MANAGER_GET_SECRET_FAILED(400),
    SECRET_MANAGER_KEY_NOT_SECRET(400),
    INVALID_GIT_CREDENTIALS(400),
    ENGINE_OPERATION_FAILURE(400),
    TRIGGER_UPDATE_STATUS(400),
    PIECE_SYNC_NOT_SUPPORTED(400),
    RESUME_LOGS_FILE_MISSING(400),
    OAUTH_INVALID_REQUEST(400, "invalid_request"),
    OAUTH_INVALID_CLIENT(400, "invalid_client"),
    OAUTH_INVALID_GRANT(400, "invalid_grant"),
    OAUTH_INVALID_TARGET(400, "invalid_target"),
    OAUTH_UNSUPPORTED_GRANT_TYPE(400, "unsupported_grant_type"),
    OAUTH_UNSUPPORTED_RESPONSE_TYPE(400, "unsupported_response_type"),
    OAUTH_ACCESS_DENIED(403, "access_denied"),
    OAUTH_SERVER_ERROR(500, "server_error"),
    INVALID_INPUT(400, "FST_ERR_VALIDATION", "Bad Request"),
    MALFORMED_JSON(400, "FST_ERR_CTP_INVALID_JSON_BODY", "Bad Request"),
    EMPTY_JSON_BODY(400, "FST_ERR_CTP_EMPTY_JSON_BODY", "Bad Request"),
    IDEMPOTENCY_KEY_IN_USE(409, "IDEMPOTENCY_KEY_IN_USE", "Conflict"),
    IDEMPOTENCY_ANSWER_NOT_KEPT(409, "IDEMPOTENCY_ANSWER_NOT_KEPT", "Conflict"),
    IDEMPOTENCY_KEY_REUSED(422, "IDEMPOTENCY_KEY_REUSED", "Unprocessable Content"),
    BODY_TOO_LARGE(413, "FST_ERR_CTP_BODY_TOO_LARGE", "Payload Too Large"),
    UNSUPPORTED_MEDIA_TYPE(415, "FST_ERR_CTP_INVALID_MEDIA_TYPE", "Unsupported Media Type"),
    TOO_MANY_REQUESTS(429, null, "Too Many Requests"),
    ROUTE_NOT_FOUND(404, null, "Not Found"),
    INTERNAL(500, null, "Internal Server Error"),
    UNAVAILABLE(503, null, "Service Unavailable"),
    STORAGE_UNAVAILABLE(503, null, "Service Unavailable"),
    OUTCOME_UNKNOWN(504, "OUTCOME_UNKNOWN", "Gateway Timeout");

    public enum Shape {
        /** {@code {code, params}}. */
        APPLICATION,
        /** {@code {statusCode, code?, error, message}}. */
        FRAMEWORK,
        /** {@code {error, error_description}}, as OAuth clients read it. */
        OAUTH
    }

    private final int status;
    private final Shape shape;
    private final String wireCode;
    private final String reason;

    ErrorCode(int status) {
        this.status = status;
        this.shape = Shape.APPLICATION;
        this.wireCode = name();
        this.reason = null;
    }

    ErrorCode(int status, String wireCode) {
        this.status = status;
        this.shape = Shape.OAUTH;
        this.wireCode = wireCode;
        this.reason = null;
    }

    ErrorCode(int status, String wireCode, String reason) {
        this.status = status;
        this.shape = Shape.FRAMEWORK;
        this.wireCode = wireCode;
        this.reason = reason;
    }

    public int status() {
        return status;
    }

    public Shape shape() {
        return shape;
    }

    /** Text of the body's field {@code code}, for OAuth of {@code error}; null where the body has none. */
    public String wireCode() {
        return wireCode;
    }

    /** Reason phrase in the body's field {@code error}; null for the other shapes. */
    public String reason() {
        return reason;
    }
}
