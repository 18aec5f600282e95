/**
 * One module for each family of packages: it creates their services and routes, and passes implementations of upper packages to
 * the interfaces of lower ones.
 *
 * <p>Contains no business logic and starts nothing: {@code Server} determines the order of start and stop. A module takes its
 * dependencies from {@link io.millrace.app.module.ServerContext} and passes only those on. Start reading at
 * {@link io.millrace.app.module.ServerModules}.
 */
package io.millrace.app.module;
