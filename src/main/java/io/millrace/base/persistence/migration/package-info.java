/**
 * Migration of a database's schema to this release, and the checks before it: release and encoding of the server, rights of
 * the role, no newer schema.
 *
 * <p>Knows no table except Flyway's history. Start reading at
 * {@link io.millrace.base.persistence.migration.Migrations}.
 */
package io.millrace.base.persistence.migration;
