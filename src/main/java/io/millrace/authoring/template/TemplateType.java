package io.millrace.authoring.template;

/** Who made a template and who may find it. */
public enum TemplateType {
    /** Comes with the product; made by nobody on this server. */
    OFFICIAL,
    /** Anybody's, found by its id only. */
    SHARED,
    /** A platform's own, listed for its people. */
    CUSTOM
}
