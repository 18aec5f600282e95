/** Tests of sign-up, sign-in, tokens and keys. */
package io.millrace.account.identity;
