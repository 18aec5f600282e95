package io.millrace.authoring.template;

/** Listing state of a template. */
public enum TemplateStatus {
    PUBLISHED,
    ARCHIVED
}
