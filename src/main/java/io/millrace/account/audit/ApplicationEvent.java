package io.millrace.account.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;

/**
 * An audited action, as reported by a module; the names of project and user are added when it is recorded.
 *
 * @param platformId null when the project determines it
 * @param projectId null when no project is concerned
 * @param userId acting user, or null
 * @param address the client's address, or null
 * @param data payload of the action, as in the catalogue
 */
public record ApplicationEvent(
        EventAction action, String platformId, String projectId, String userId, String address, ObjectNode data) {
    public static ApplicationEvent inProject(EventAction action, Principal by, String projectId, ObjectNode data) {
        return new ApplicationEvent(action, null, projectId, by.actingUser(), by.address(), data);
    }

    public static ApplicationEvent onPlatform(EventAction action, Principal by, ObjectNode data) {
        return new ApplicationEvent(action, by.platform(), null, by.actingUser(), by.address(), data);
    }
}
