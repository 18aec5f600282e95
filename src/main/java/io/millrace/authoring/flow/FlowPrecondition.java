package io.millrace.authoring.flow;

import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Condition under which an operation is applied: the latest version is still the one that the caller has read. Detects
 * concurrent edits of the same version; the rejected edit can be repeated on the new version (decision 0390).
 *
 * @param updated the field {@code updated} of the version that was read, as the API writes it; empty for no condition
 */
public record FlowPrecondition(Optional<String> updated) {
    public static final FlowPrecondition NONE = new FlowPrecondition(Optional.empty());

    private static final String ANY_VERSION = "*";
    private static final Pattern HEADER =
            Pattern.compile("\"?(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)\"?");

    /**
     * Reads the values of the header {@code If-Match}.
     *
     * @throws ApiException INVALID_INPUT when there are several, or one that is not the timestamp of a version
     */
    static FlowPrecondition parse(List<String> headers) {
        if (headers.isEmpty() || headers.equals(List.of(ANY_VERSION))) {
            return NONE;
        }
        var matcher = HEADER.matcher(headers.getFirst().strip());
        if (headers.size() > 1 || !matcher.matches()) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "headers/if-match Invalid string: expected the field updated of the latest version, such as"
                            + " \"2026-01-31T12:00:00.000Z\"");
        }
        return new FlowPrecondition(Optional.of(matcher.group(1)));
    }

    /** Fails with FLOW_VERSION_CHANGED when the latest version differs from the expected one. */
    Future<Nothing> check(Supplier<Future<FlowVersion>> latest) {
        return updated.isEmpty()
                ? Future.succeededFuture(Nothing.DONE)
                : latest.get()
                        .compose(version -> updated.get().equals(Json.timestamp(version.updated()))
                                ? Future.succeededFuture(Nothing.DONE)
                                : Future.failedFuture(changed(version)));
    }

    private ApiException changed(FlowVersion latest) {
        var found = Json.timestamp(latest.updated());
        var message = "expected a version last changed at " + updated.orElseThrow() + ", found " + latest.id()
                + ", changed at " + found + "; read the flow and apply the operation to its latest version";
        return ApiException.of(
                ErrorCode.FLOW_VERSION_CHANGED,
                Json.object()
                        .put("message", message)
                        .put("versionId", latest.id())
                        .put("updated", found));
    }
}
