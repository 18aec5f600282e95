package io.millrace.authoring.flow;

import java.time.Duration;

/**
 * What an operator says about publishing.
 *
 * @param enableOnPublish whether publishing also enables, when the request does not say (AP_ENABLE_FLOW_ON_PUBLISH)
 * @param hooksTimeout longest enable or disable hook (AP_TRIGGER_HOOKS_TIMEOUT_SECONDS)
 * @param alone whether no other process uses the database
 */
public record FlowPublishRules(boolean enableOnPublish, Duration hooksTimeout, boolean alone) {}
