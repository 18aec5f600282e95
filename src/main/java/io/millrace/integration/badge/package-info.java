/**
 * Badges: what the owners of flows have achieved (contract admin-api 15.3). Badges of flows are awarded when a flow is
 * published or enabled; those of runs are worked out when somebody looks, so that runs pay nothing for them (decision
 * 0068). Shown by the identity module, which only knows the question. Start reading at {@link io.millrace.integration.badge.BadgeService}.
 */
package io.millrace.integration.badge;
