/**
 * Installation of npm packages: rules for allowed dependencies, and the package manager of Node.js that fetches them, isolated like
 * the code that it installs.
 *
 * <p>Start reading at {@link io.millrace.sandbox.npm.PackageManager}. Nothing here knows pieces, steps or programs, or runs a
 * package's code: the caller decides on the use and the files of a package.
 */
package io.millrace.sandbox.npm;
