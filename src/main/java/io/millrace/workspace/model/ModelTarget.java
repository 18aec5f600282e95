package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.secret.SecretTexts;
import io.millrace.piece.model.ModelFailure;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.vertx.core.Future;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** A model of a provider. Error messages name it and omit secrets that the provider may echo. */
record ModelTarget(ProviderAccess access, String model) {
    private static final int REASON_LENGTH_MAX = 500;

    ModelFailure failure(String reason, boolean retriable) {
        return failure(reason, retriable, 0);
    }

    ModelFailure failure(String reason, boolean retriable, long retryAfterMs) {
        return new ModelFailure(told(reason), retriable, retryAfterMs);
    }

    /** The credits of the platform are its budget (contract agents 3.3). */
    ModelFailure creditsGone(String reason) {
        return ModelFailure.ofBudget(told(reason));
    }

    boolean isOnCredits() {
        return access.provider().equals(ModelProviders.CREDITS);
    }

    OptionalDouble creditsTakenBy(JsonNode body) {
        return isOnCredits() ? PlatformCredits.takenBy(body) : OptionalDouble.empty();
    }

    private String told(String reason) {
        var told = SecretTexts.hide(String.valueOf(reason), access.auth());
        return access.provider() + " (" + model + "): " + ShownText.of(told, REASON_LENGTH_MAX);
    }

    <T> Future<T> unable(String what) {
        return Future.failedFuture(new ModelFailure(access.title() + " " + what, false));
    }

    /** Parses a body. A malformed body is a failure that may be retried. */
    <T> Future<T> read(Supplier<T> reading) {
        try {
            return Future.succeededFuture(reading.get());
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(failure("an answer that cannot be read: " + malformed.getMessage(), true));
        }
    }

    /** Builds a request; settings of the provider may not form a valid address. */
    <T> Future<T> written(Supplier<T> writing) {
        try {
            return Future.succeededFuture(writing.get());
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(failure(malformed.getMessage(), false));
        }
    }
}
