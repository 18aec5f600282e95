package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.ClusterNotice;

/** What all members of a project's channel hear, at every node. It is few enough to be told to all of them. */
record ChannelBroadcast(String projectId, String event, JsonNode payload) implements ClusterNotice {
    /** Where the members of a project listen. */
    static String addressOf(String projectId) {
        return "live.project." + projectId;
    }
}
