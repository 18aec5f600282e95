package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.ClusterNotice;

/** Event for all members of a project's channel, at every node. The rate is low enough to send it to all of them. */
record ChannelBroadcast(String projectId, String event, JsonNode payload) implements ClusterNotice {
    static String addressOf(String projectId) {
        return "live.project." + projectId;
    }
}
