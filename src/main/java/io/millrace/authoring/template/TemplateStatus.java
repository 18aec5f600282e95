package io.millrace.authoring.template;

public enum TemplateStatus {
    PUBLISHED,
    ARCHIVED
}
