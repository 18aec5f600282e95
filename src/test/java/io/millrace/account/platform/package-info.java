/** Tests of platforms, flags and health. */
package io.millrace.account.platform;
