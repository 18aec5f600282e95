/**
 * Administration of the users of a platform: lists, roles, status, pictures, their own profile.
 *
 * <p>Authentication is in {@code signin}. Start reading at {@link io.millrace.account.identity.user.Users}.
 */
package io.millrace.account.identity.user;
