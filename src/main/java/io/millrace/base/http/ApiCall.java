package io.millrace.base.http;

import io.millrace.base.access.Principal;
import io.vertx.ext.web.RoutingContext;

/**
 * A request that has passed every check of the edge.
 *
 * @param projectId the project that the access rule found; null where the rule names none
 * @param deadlineMs time limit for the answer of the module
 */
public record ApiCall(Principal principal, String projectId, long deadlineMs, RoutingContext context) {}
