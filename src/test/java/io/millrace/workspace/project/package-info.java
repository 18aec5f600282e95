/** Tests of projects and of who may enter them. */
package io.millrace.workspace.project;
