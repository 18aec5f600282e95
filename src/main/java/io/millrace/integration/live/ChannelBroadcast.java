package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.ClusterNotice;
import java.util.Optional;

/** What all members of a project's channel hear, at every node where there are any. */
record ChannelBroadcast(String projectId, String event, JsonNode payload) implements ClusterNotice {
    @Override
    public Optional<String> topic() {
        return Optional.of(topicOf(projectId));
    }

    /** What the members of a project's channel watch. */
    static String topicOf(String projectId) {
        return "channel of " + projectId;
    }

    /** Where the members of a project listen. */
    static String deskOf(String projectId) {
        return "live.project." + projectId;
    }
}
