package io.millrace.authoring.template;

/** Whether a template is listed. */
public enum TemplateStatus {
    PUBLISHED,
    ARCHIVED
}
