package io.millrace.account.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;

/**
 * Something that was done, as the module that did it tells it; names of project and user are added when it is recorded.
 *
 * @param platformId null when the project tells it
 * @param projectId null when no project is concerned
 * @param userId who did it, or null
 * @param address the client's address, or null
 * @param data what the catalogue says of the action
 */
public record ApplicationEvent(
        EventAction action, String platformId, String projectId, String userId, String address, ObjectNode data) {
    /** Something that was done in a project. */
    public static ApplicationEvent inProject(EventAction action, Principal by, String projectId, ObjectNode data) {
        return new ApplicationEvent(action, null, projectId, by.actingUser(), by.address(), data);
    }

    /** Something that was done on the caller's platform. */
    public static ApplicationEvent onPlatform(EventAction action, Principal by, ObjectNode data) {
        return new ApplicationEvent(action, by.platform(), null, by.actingUser(), by.address(), data);
    }
}
