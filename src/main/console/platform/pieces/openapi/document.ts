import type { Answer } from '../../../base/api/client';

/** Beginning of the names of pieces from documents. */
export const NAME_PREFIX = '@openapi/piece-';

export type Report = Answer<'POST /v1/pieces/openapi'>;
export type Operation = Report['groups'][number]['operations'][number];
export type Group = Report['groups'][number];
export type Changes = NonNullable<Report['changes']>;

/** Source of a document. A file is kept as it is: the server checks its encoding. */
export type Source = { kind: 'url'; url: string } | { kind: 'file'; file: File } | { kind: 'text'; text: string };

export const PAGE_KINDS = ['NONE', 'LINK', 'CURSOR', 'PAGE', 'OFFSET'] as const;

/** Pages of lists as typed. */
export interface Pages {
  kind: (typeof PAGE_KINDS)[number];
  parameter: string;
  itemsPath: string;
  cursorPath: string;
  first: string;
}

export const ONE_PAGE: Pages = { kind: 'NONE', parameter: '', itemsPath: '', cursorPath: '', first: '' };

/** Choices of the dialog. */
export interface Choices {
  name: string;
  displayName: string;
  baseUrl: string;
  /** Keys of the chosen operations; undefined for all. */
  operations: ReadonlySet<string> | undefined;
  pages: Pages;
}

export const ALL: Choices = { name: '', displayName: '', baseUrl: '', operations: undefined, pages: ONE_PAGE };

/** Key of an operation in requests: an operationId may be missing or occur twice. */
export const keyOf = (operation: Pick<Operation, 'method' | 'path'>): string => `${operation.method} ${operation.path}`;

export const keysOf = (groups: readonly Group[]): string[] => groups.flatMap((group) => group.operations.map(keyOf));

/** Groups with the operations that contain all words of a text. */
export function searched(groups: readonly Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter((each) => {
      const all = `${group.tag} ${each.method} ${each.path} ${each.id} ${each.summary}`.toLowerCase();
      return words.every((word) => all.includes(word));
    }) }))
    .filter((group) => group.operations.length > 0);
}

/** Selection after some operations were chosen or left out. */
export function chosenAfter(chosen: ReadonlySet<string>, keys: readonly string[], on: boolean): Set<string> {
  const next = new Set(chosen);
  keys.forEach((key) => on ? next.add(key) : next.delete(key));
  return next;
}

/** Keys of the operations that an installed piece has as actions. */
export const installed = (groups: readonly Group[], actions: readonly string[]): Set<string> =>
  new Set(groups.flatMap((group) => group.operations.filter((each) => actions.includes(each.actionName)).map(keyOf)));

/** Options of a request. */
export function optionsOf(choices: Choices): Record<string, unknown> {
  const { name, displayName, baseUrl, operations } = choices;
  const pages = pagesOf(choices.pages);
  return {
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(displayName.trim() ? { displayName: displayName.trim() } : {}),
    ...(baseUrl.trim() ? { baseUrl: baseUrl.trim() } : {}),
    ...(operations ? { operations: [...operations] } : {}),
    ...(pages ? { pagination: pages } : {}),
  };
}

function pagesOf({ kind, parameter, itemsPath, cursorPath, first }: Pages): Record<string, unknown> | undefined {
  if (kind === 'NONE') {
    return undefined;
  }
  return {
    kind,
    ...(kind === 'LINK' ? {} : { parameter: parameter.trim() }),
    ...(itemsPath.trim() ? { itemsPath: itemsPath.trim() } : {}),
    ...(kind === 'CURSOR' ? { cursorPath: cursorPath.trim() } : {}),
    ...((kind === 'PAGE' || kind === 'OFFSET') && /^\d+$/.test(first.trim()) ? { first: Number(first) } : {}),
  };
}

/** True if the required fields of the pages are typed. */
export const isComplete = ({ kind, parameter, cursorPath }: Pages): boolean =>
  kind === 'NONE' || kind === 'LINK' || (parameter.trim() !== '' && (kind !== 'CURSOR' || cursorPath.trim() !== ''));
