/**
 * Npm packages as they come to this server: which ones may be asked for, and the package manager of Node.js that fetches them,
 * isolated as the code is that it brings.
 *
 * <p>Start reading at {@link io.millrace.sandbox.npm.PackageManager}. What a package is for is the caller's business, and so is
 * what becomes of its files: nothing here knows pieces, steps or programs, and nothing here runs a package's code.
 */
package io.millrace.sandbox.npm;
