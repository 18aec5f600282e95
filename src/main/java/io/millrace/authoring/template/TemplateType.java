package io.millrace.authoring.template;

/** Origin and visibility of a template. */
public enum TemplateType {
    /** Shipped with the product; has no author on this server. */
    OFFICIAL,
    /** Anybody's, found by its id only. */
    SHARED,
    /** A platform's own, listed for its people. */
    CUSTOM
}
