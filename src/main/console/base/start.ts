import { kept } from './kept';

const KEPT_PROJECT = 'millrace.project';

export const PROJECTS_MAX = 1000;

export const lastProject = (): string | null => kept.get(KEPT_PROJECT);

export const keepProject = (id: string): void => kept.set(KEPT_PROJECT, id);
