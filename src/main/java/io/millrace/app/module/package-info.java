/**
 * One module for each family of packages: it makes their services and routes, and plugs what an upper package brings into
 * the interface of a lower one.
 *
 * <p>Decides nothing a user could notice, and starts nothing: the order of start and stop is {@code Server}'s. A module takes
 * what it needs from {@link io.millrace.app.module.ServerContext} and hands just that on. Start reading at {@link
 * io.millrace.app.module.ServerModules}.
 */
package io.millrace.app.module;
