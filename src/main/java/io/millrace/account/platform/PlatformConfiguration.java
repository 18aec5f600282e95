package io.millrace.account.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/** Telemetry settings of a platform (contract admin-api 19). Millrace sends no telemetry. */
public record PlatformConfiguration(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        boolean productTelemetryEnabled,
        boolean infraSetupTelemetryEnabled) {

    PlatformConfiguration changed(Optional<Boolean> productTelemetry, Optional<Boolean> infraSetup, Instant now) {
        return new PlatformConfiguration(
                id,
                created,
                now,
                platformId,
                productTelemetry.orElse(productTelemetryEnabled),
                infraSetup.orElse(infraSetupTelemetryEnabled));
    }

    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("isProductTelemetryEnabled", productTelemetryEnabled)
                .put("isInfraSetupTelemetryEnabled", infraSetupTelemetryEnabled);
    }
}
