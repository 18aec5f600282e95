package io.millrace.authoring.template;

/** Origin and visibility of a template. */
public enum TemplateType {
    /** Shipped with the product; has no author on this server. */
    OFFICIAL,
    /** Template without an owner, found by its id only. */
    SHARED,
    /** Owned by a platform, and listed for its users. */
    CUSTOM
}
