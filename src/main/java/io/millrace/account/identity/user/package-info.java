/**
 * The users of a platform as others see and change them: lists, roles, status, pictures, their own profile.
 *
 * <p>Lets nobody in: see {@code signin}. Start reading at {@link io.millrace.account.identity.user.Users}.
 */
package io.millrace.account.identity.user;
