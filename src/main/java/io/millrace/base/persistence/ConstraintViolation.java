package io.millrace.base.persistence;

/**
 * A write that a constraint of the database refused. A service that expects it maps the constraint's name to its own refusal;
 * unmapped, it is a defect. Has no stack: the constraint identifies its origin.
 */
public final class ConstraintViolation extends RuntimeException {
    private static final long serialVersionUID = 1;

    public enum Kind {
        UNIQUE,
        /** The referenced row must exist, and must not be deleted. */
        FOREIGN_KEY
    }

    private final Kind kind;
    private final String constraint;

    ConstraintViolation(Kind kind, String table, String constraint) {
        super(kind + " constraint " + constraint + " of table " + table + " is violated", null, false, false);
        this.kind = kind;
        this.constraint = constraint;
    }

    public Kind kind() {
        return kind;
    }

    public String constraint() {
        return constraint;
    }
}
