package io.millrace.project;

import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;

/** What one may ask of alerts. Answered by {@link AlertService}. */
public sealed interface Alerts {
    /** The alerts of a project, newest first. */
    record ListOf(String projectId, PageRequest page) implements Alerts, Request<Page<Alert>> {}

    /** Adds a receiver; fails with EXISTING_ALERT_CHANNEL when it is there, whatever the case of its letters. */
    record Create(String projectId, String receiver) implements Alerts, Request<Alert> {}

    record Delete(String id) implements Alerts, Request<Nothing> {}

    /** The project of an alert; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements Alerts, Request<String> {}
}
