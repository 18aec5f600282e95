/**
 * The platform: name, appearance, plan and sign-in settings of one installation, and the data that clients need before
 * sign-in (flags, health).
 *
 * <p>Independent of users: the owner of a platform is an id. Modules above create a platform inside their own transaction
 * through {@link io.millrace.account.platform.PlatformService#create}. Start reading at
 * {@link io.millrace.account.platform.Platforms}.
 */
package io.millrace.account.platform;
