/** Tests of signing up and in, tokens and keys. */
package io.millrace.account.identity;
