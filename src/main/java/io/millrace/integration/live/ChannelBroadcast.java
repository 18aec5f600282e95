package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Notice;

/** What all members of a project's channel hear. */
record ChannelBroadcast(String event, JsonNode payload) implements Notice {
    /** Where the members of a project listen. */
    static String deskOf(String projectId) {
        return "live.project." + projectId;
    }
}
