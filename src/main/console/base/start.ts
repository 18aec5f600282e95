import { kept } from './kept';

const KEPT_PROJECT = 'millrace.project';

/** Limit of the request for the projects of the user. */
export const PROJECTS_MAX = 1000;

/** Id of the project that was opened last in this browser. */
export const lastProject = (): string | null => kept.get(KEPT_PROJECT);

export const keepProject = (id: string): void => kept.set(KEPT_PROJECT, id);
