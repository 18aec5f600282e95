package io.millrace.base.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.http.RequestKeys.ClaimResult;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Performs a request that carries an {@code Idempotency-Key} once: a repetition by the same caller at the same route is
 * answered as the first one was (decision 0381). Webhooks have separate keys, which belong to runs.
 */
final class KeyedRequests {
    /** Marks a request whose operation handles its key itself. */
    static final String OWN_KEYS = "ownKeys";

    private static final CharSequence HEADER = HttpHeaders.createOptimized("Idempotency-Key");
    private static final int KEY_LENGTH_MAX = 255;
    private static final int SERVER_ERRORS = 500;
    private static final String RETRY_AFTER_SECONDS = "1";

    private final Bus bus;
    private final long deadlineMs;

    KeyedRequests(Bus bus, long deadlineMs) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
    }

    /**
     * Performs a request, or answers it as the first one under its key.
     *
     * @param body JSON of the request; null when there is none
     */
    Future<ApiReply> perform(
            RoutingContext context, Principal principal, JsonNode body, Supplier<Future<ApiReply>> action) {
        var key = keyOf(context);
        var caller = callerOf(principal);
        if (key.isEmpty() || caller.isEmpty()) {
            return action.get();
        }
        var request = context.request();
        var route = request.method().name() + ' ' + request.path();
        var id = Hashes.sha256Hex(caller.get() + '\n' + route + '\n' + key.get());
        var attempt = Ids.next();
        var claim = new RequestKeys.Claim(id, caller.get(), fingerprint(request.query(), body), attempt);
        return bus.ask(claim, deadlineMs)
                .recover(failure -> {
                    // The claim may have been recorded even though the request failed.
                    release(id, attempt);
                    return Future.failedFuture(ApiException.withoutEffect(failure));
                })
                .compose(claimed -> switch (claimed) {
                    case ClaimResult.Free _ -> performed(id, attempt, action);
                    case ClaimResult.Answered(var status, var contentType, var answer) ->
                        Future.succeededFuture(new ApiReply(status, answer, contentType));
                    case ClaimResult.InUse _ -> {
                        context.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
                        yield refused(
                                ErrorCode.IDEMPOTENCY_KEY_IN_USE, "the first request with this key is still running");
                    }
                    case ClaimResult.Reused _ ->
                        refused(ErrorCode.IDEMPOTENCY_KEY_REUSED, "the key was used for a request with other content");
                    case ClaimResult.Unknown _ ->
                        refused(
                                ErrorCode.OUTCOME_UNKNOWN,
                                "the server stopped during the first request with this key: it may have been performed");
                    case ClaimResult.NotKept(var status) ->
                        refused(
                                ErrorCode.IDEMPOTENCY_ANSWER_NOT_KEPT,
                                "the response to the first request with this key had status " + status
                                        + "; it was too large to store");
                });
    }

    private Future<ApiReply> performed(String id, String attempt, Supplier<Future<ApiReply>> action) {
        Future<ApiReply> answer;
        try {
            answer = action.get();
        } catch (RuntimeException thrown) {
            answer = Future.failedFuture(thrown);
        }
        return answer.transform((reply, failure) -> {
            if (failure == null) {
                return keep(id, attempt, reply).transform(_ -> Future.succeededFuture(reply));
            }
            if (isWithoutEffect(failure)) {
                release(id, attempt);
                return Future.failedFuture(failure);
            }
            var unknown = ApiException.of(
                    ErrorCode.OUTCOME_UNKNOWN, "the first request with this key failed: it may have been performed");
            return keep(id, attempt, ErrorRenderer.render(unknown)).transform(_ -> Future.failedFuture(failure));
        });
    }

    private Future<?> keep(String id, String attempt, ApiReply reply) {
        return bus.ask(new RequestKeys.Keep(id, attempt, reply), deadlineMs);
    }

    private void release(String id, String attempt) {
        var _ = bus.ask(new RequestKeys.Forget(id, attempt), deadlineMs);
    }

    /** A refusal, or a part of the server that did not begin. A defect may have changed something. */
    private static boolean isWithoutEffect(Throwable failure) {
        return failure instanceof ApiException refused
                && (refused.code().status() < SERVER_ERRORS
                        || refused.code() == ErrorCode.UNAVAILABLE
                        || refused.code() == ErrorCode.STORAGE_UNAVAILABLE);
    }

    private static Optional<String> keyOf(RoutingContext context) {
        var method = context.request().method();
        if (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method) || context.get(OWN_KEYS) != null) {
            return Optional.empty();
        }
        var given = context.request().headers().getAll(HEADER);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (given.size() > 1 || !isSound(given.getFirst())) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "headers/idempotency-key Invalid string: expected one header of 1 to " + KEY_LENGTH_MAX
                            + " printable ASCII characters");
        }
        return Optional.of(given.getFirst());
    }

    private static boolean isSound(String text) {
        return !text.isBlank()
                && text.length() <= KEY_LENGTH_MAX
                && text.chars().allMatch(character -> character >= ' ' && character <= '~');
    }

    /** Keys belong to identified callers: an anonymous request cannot be distinguished from others. */
    private static Optional<String> callerOf(Principal principal) {
        return switch (principal) {
            case Principal.SignedInUser user -> Optional.of("user:" + user.platformId() + ':' + user.id());
            case Principal.Service service -> Optional.of("key:" + service.keyId());
            case Principal.Engine engine -> Optional.of("engine:" + engine.projectId());
            case Principal.McpServerToken token -> Optional.of("mcp:" + token.serverId());
            case Principal.Newcomer _, Principal.Anonymous _ -> Optional.empty();
        };
    }

    private static String fingerprint(String query, JsonNode body) {
        var content =
                body == null || body.isMissingNode() ? "" : new String(DeepJson.bytes(body), StandardCharsets.UTF_8);
        return Hashes.sha256Hex((query == null ? "" : query) + '\n' + content);
    }

    private static Future<ApiReply> refused(ErrorCode code, String message) {
        return Future.failedFuture(ApiException.of(code, message));
    }
}
