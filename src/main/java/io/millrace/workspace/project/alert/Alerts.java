package io.millrace.workspace.project.alert;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;

/** Requests about alerts. Answered by {@link AlertService}. */
public sealed interface Alerts {
    /** The alerts of a project, newest first. */
    record ListOf(String projectId, PageRequest page) implements Alerts, BusRequest<Page<Alert>> {}

    /** Adds a receiver; fails with EXISTING_ALERT_CHANNEL when it exists, without regard to case. */
    record Create(String projectId, String receiver) implements Alerts, BusRequest<Alert> {}

    record Delete(String id) implements Alerts, BusRequest<Nothing> {}

    /** The project of an alert; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements Alerts, BusRequest<String> {}
}
