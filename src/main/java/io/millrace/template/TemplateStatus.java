package io.millrace.template;

/** Whether a template is listed. */
public enum TemplateStatus {
    PUBLISHED,
    ARCHIVED
}
