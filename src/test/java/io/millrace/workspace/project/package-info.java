/** Tests of projects and of access to them. */
package io.millrace.workspace.project;
