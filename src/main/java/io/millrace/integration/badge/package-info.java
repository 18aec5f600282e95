/**
 * Badges: achievements of flow owners (contract admin-api 15.3). Badges of flows are awarded when a flow is published or
 * enabled; those of runs are computed when a client reads them, so that runs have no extra cost (decision 0046). The identity
 * module shows them and depends only on the message. Start reading at {@link io.millrace.integration.badge.BadgeService}.
 */
package io.millrace.integration.badge;
