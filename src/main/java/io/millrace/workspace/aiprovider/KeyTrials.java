package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** Tests keys at their vendors. A refusal is INVALID_AI_PROVIDER_CREDENTIALS, with the vendor's message. */
final class KeyTrials {
    private final VendorCalls vendors;

    KeyTrials(VendorCalls vendors) {
        this.vendors = vendors;
    }

    /** Fails unless the settings are valid and the vendor accepts the key. */
    Future<Void> check(AiVendor vendor, ObjectNode config, ObjectNode auth) {
        return AiSettings.problemOf(vendor, config, auth)
                .map(problem -> Future.<Void>failedFuture(invalid(vendor, problem, problem)))
                .orElseGet(() -> refusedAs(
                        vendor, "Failed to validate credentials for ", () -> vendors.check(vendor, config, auth)));
    }

    Future<List<AiModel>> models(AiVendor vendor, ObjectNode config, ObjectNode auth) {
        return refusedAs(vendor, "Failed to list the models of ", () -> vendors.models(vendor, config, auth));
    }

    private static <T> Future<T> refusedAs(AiVendor vendor, String message, Supplier<Future<T>> call) {
        return Future.<Void>succeededFuture()
                .compose(_ -> call.get())
                .recover(failure -> Future.failedFuture(
                        failure instanceof AiRefusal refusal
                                ? invalid(
                                        vendor,
                                        message + vendor.title() + ": " + refusal.getMessage(),
                                        refusal.getMessage())
                                : failure));
    }

    private static ApiException invalid(AiVendor vendor, String message, String httpErrorResponse) {
        return ApiException.of(
                ErrorCode.INVALID_AI_PROVIDER_CREDENTIALS,
                Json.object()
                        .put("provider", vendor.word())
                        .put("message", message)
                        .put("httpErrorResponse", httpErrorResponse));
    }
}
