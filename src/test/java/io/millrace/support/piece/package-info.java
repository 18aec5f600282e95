/**
 * Pieces for tests: packages as npm has them, and the contexts that actions and triggers are given.
 */
package io.millrace.support.piece;
