import type { Answer } from '../../../base/api/client';

export const NAME_PREFIX = '@openapi/piece-';

export type Report = Answer<'POST /v1/pieces/openapi'>;
export type Operation = Report['groups'][number]['operations'][number];
export type Server = Report['servers'][number];
export type Group = Report['groups'][number];
export type Changes = NonNullable<Report['changes']>;

/** A file is kept as it is: the server checks its encoding. */
export type Source = { kind: 'url'; url: string } | { kind: 'file'; file: File } | { kind: 'text'; text: string };

export const PAGE_KINDS = ['NONE', 'LINK', 'CURSOR', 'PAGE', 'OFFSET'] as const;

export interface Pages {
  kind: (typeof PAGE_KINDS)[number];
  parameter: string;
  itemsPath: string;
  cursorPath: string;
  first: string;
}

export const ONE_PAGE: Pages = { kind: 'NONE', parameter: '', itemsPath: '', cursorPath: '', first: '' };

export interface Choices {
  name: string;
  displayName: string;
  /** Address of the API, or the template of a server of the document; empty for the server of the document. */
  baseUrl: string;
  serverVariables: Readonly<Record<string, string>>;
  /** Variables in addresses of servers that each connection fills. */
  connectionVariables: readonly string[];
  /** Keys of the chosen operations; undefined for all. */
  operations: ReadonlySet<string> | undefined;
  pages: Pages;
}

export const ALL: Choices = {
  name: '',
  displayName: '',
  baseUrl: '',
  serverVariables: {},
  connectionVariables: [],
  operations: undefined,
  pages: ONE_PAGE,
};

/** Key of an operation in requests: an operationId may be missing or occur twice. */
export const keyOf = (operation: Pick<Operation, 'method' | 'path'>): string => `${operation.method} ${operation.path}`;

export const keysOf = (groups: readonly Group[]): string[] => groups.flatMap((group) => group.operations.map(keyOf));

export function searched(groups: readonly Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((each) => {
        const all = `${group.tag} ${each.method} ${each.path} ${each.id} ${each.summary}`.toLowerCase();
        return words.every((word) => all.includes(word));
      }),
    }))
    .filter((group) => group.operations.length > 0);
}

export function chosenAfter(chosen: ReadonlySet<string>, keys: readonly string[], on: boolean): Set<string> {
  const next = new Set(chosen);
  keys.forEach((key) => (on ? next.add(key) : next.delete(key)));
  return next;
}

export const installed = (groups: readonly Group[], actions: readonly string[]): Set<string> =>
  new Set(groups.flatMap((group) => group.operations.filter((each) => actions.includes(each.actionName)).map(keyOf)));

/** Key of the server in a report: its template, or the address if the document does not name it. */
export const usualServer = (report: Report): string =>
  report.servers.find((server) => server.url === report.baseUrl)?.template ?? report.baseUrl;

/** Chosen server of the document; undefined for another address. */
export function serverOf(report: Report, first: Choices, choices: Choices): Server | undefined {
  const template = choices.baseUrl === first.baseUrl ? usualServer(report) : choices.baseUrl;
  return report.servers.find((server) => server.template === template);
}

export const hasValues = (server: Server | undefined, choices: Choices): boolean =>
  (server?.variables ?? []).every(
    (variable) =>
      variable.default !== undefined ||
      Boolean(choices.serverVariables[variable.name]) ||
      choices.connectionVariables.includes(variable.name),
  );

/** Choices of the installed version that fit the document. */
export function previousChoices(report: Report): Partial<Choices> {
  const { baseUrl, serverVariables = {}, connectionVariables = [], pagination } = report.previousOptions ?? {};
  const known = new Set(report.servers.flatMap((server) => server.variables.map((variable) => variable.name)));
  const ofConnections = connectionVariables.filter((name) => known.has(name));
  const isKnown =
    baseUrl !== undefined && (!baseUrl.includes('{') || report.servers.some((server) => server.template === baseUrl));
  return {
    ...(isKnown ? { baseUrl } : {}),
    serverVariables: Object.fromEntries(Object.entries(serverVariables).filter(([name]) => known.has(name))),
    ...(ofConnections.length > 0 ? { connectionVariables: ofConnections } : {}),
    ...(pagination
      ? {
          pages: {
            kind: pagination.kind,
            parameter: pagination.parameter ?? '',
            itemsPath: pagination.itemsPath ?? '',
            cursorPath: pagination.cursorPath ?? '',
            first: pagination.kind === 'PAGE' || pagination.kind === 'OFFSET' ? String(pagination.first ?? '') : '',
          },
        }
      : {}),
  };
}

export function optionsOf(choices: Choices): Record<string, unknown> {
  const { name, displayName, baseUrl, connectionVariables, operations } = choices;
  const variables = Object.entries(choices.serverVariables).filter(([, value]) => value !== '');
  const pages = pagesOf(choices.pages);
  return {
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(displayName.trim() ? { displayName: displayName.trim() } : {}),
    ...(baseUrl.trim() ? { baseUrl: baseUrl.trim() } : {}),
    ...(variables.length > 0 ? { serverVariables: Object.fromEntries(variables) } : {}),
    ...(connectionVariables.length > 0 ? { connectionVariables } : {}),
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

export const isComplete = ({ kind, parameter, cursorPath }: Pages): boolean =>
  kind === 'NONE' || kind === 'LINK' || (parameter.trim() !== '' && (kind !== 'CURSOR' || cursorPath.trim() !== ''));
