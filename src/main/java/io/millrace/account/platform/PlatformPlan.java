package io.millrace.account.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/** The only plan: every feature, no limit (contract admin-api 1.12). It is not stored, because it cannot be changed. */
final class PlatformPlan {
    private static final List<String> FEATURES = List.of(
            "apiKeysEnabled",
            "auditLogEnabled",
            "eventStreamingEnabled",
            "environmentsEnabled",
            "globalConnectionsEnabled",
            "manageTemplatesEnabled",
            "managePiecesEnabled",
            "customAppearanceEnabled",
            "embeddingEnabled",
            "projectRolesEnabled",
            "customRolesEnabled",
            "ssoEnabled",
            "scimEnabled",
            "secretManagersEnabled",
            "analyticsEnabled",
            "aiProvidersEnabled",
            "agentsEnabled",
            "chatEnabled",
            "tablesEnabled",
            "dataManipulationEnabled",
            "customDomainsEnabled");

    private static final List<String> OPEN = List.of(
            "plan",
            "lastFreeAiCreditsRenewalDate",
            "aiCreditsAutoTopUpThreshold",
            "aiCreditsAutoTopUpCreditsToAdd",
            "maxAutoTopUpCreditsMonthly",
            "licenseKey",
            "licenseExpiresAt",
            "projectsLimit",
            "activeFlowsLimit",
            "workerGroupId",
            "stripeCustomerId",
            "stripeSubscriptionId",
            "stripeSubscriptionStatus",
            "stripeSubscriptionStartDate",
            "stripeSubscriptionEndDate",
            "stripeSubscriptionCancelDate",
            "dedicatedWorkers");

    private PlatformPlan() {}

    static ObjectNode toJson() {
        var plan = Json.object();
        FEATURES.forEach(feature -> plan.put(feature, true));
        plan.put("showPoweredBy", false)
                .put("canary", false)
                .put("teamProjectsLimit", "UNLIMITED")
                .put("includedAiCredits", 0)
                .put("aiCreditsAutoTopUpState", "disabled");
        OPEN.forEach(plan::putNull);
        return plan;
    }
}
