/** Pieces for tests: npm packages, and contexts of actions and triggers. */
package io.millrace.support.piece;
