package io.millrace.piece.builtin.appevent;

import io.millrace.piece.AppEvents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** Apps whose events the server parses itself. */
public final class AppEventFormats {
    private AppEventFormats() {}

    /**
     * Event parsers by short name of the app's piece.
     *
     * @param ageMax maximum difference between the time of a signature and the server's clock
     */
    public static Map<String, AppEvents> all(Duration ageMax, InstantSource clock) {
        return Map.of(
                "slack", new SlackEvents(ageMax, clock),
                "square", new SquareEvents(),
                "facebook-leads", new FacebookLeadsEvents(),
                "intercom", new IntercomEvents());
    }
}
