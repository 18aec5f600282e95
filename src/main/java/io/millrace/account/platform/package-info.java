/**
 * The platform: one installation's name, looks, plan and sign-in settings, and what a client must know before anybody
 * has signed in (flags, health).
 *
 * <p>Knows no users: who owns a platform is an id. Modules above create a platform inside their own transaction through
 * {@link io.millrace.account.platform.PlatformService#create}. Start reading at {@link io.millrace.account.platform.Platforms}.
 */
package io.millrace.account.platform;
