package io.millrace.integration.live;

import io.millrace.base.bus.ClusterNotice;
import java.util.List;

public final class LiveNotices {
    private LiveNotices() {}

    public static List<Class<? extends ClusterNotice>> all() {
        return List.of(
                ChannelBroadcast.class,
                Editors.PresenceChanged.class,
                Polling.Asked.class,
                Polling.Answered.class,
                Polling.Abandoned.class);
    }
}
