package io.millrace.authoring.flow;

import java.time.Duration;

/**
 * Settings for publishing.
 *
 * @param enableOnPublish default for requests that do not choose: true if publishing also enables
 *     (AP_ENABLE_FLOW_ON_PUBLISH)
 * @param hooksTimeout longest enable or disable hook (AP_TRIGGER_HOOKS_TIMEOUT_SECONDS)
 * @param alone true if no other process uses the database
 */
public record FlowPublishRules(boolean enableOnPublish, Duration hooksTimeout, boolean alone) {}
