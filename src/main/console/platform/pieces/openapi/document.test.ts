import { equal, part, test } from '../../../base/testing';
import {
  ALL,
  chosenAfter,
  hasValues,
  installed,
  isComplete,
  keysOf,
  ONE_PAGE,
  optionsOf,
  previousChoices,
  searched,
  serverOf,
  type Group,
  type Report,
} from './document';

const operation = (method: string, path: string, id = '', summary = '') => ({
  method,
  path,
  id,
  actionName: id,
  summary,
  deprecated: false,
  selected: true,
});
const groups: Group[] = [
  {
    tag: 'pets',
    operations: [operation('GET', '/pets', 'listPets', 'List pets'), operation('POST', '/pets', 'addPet', 'Add a pet')],
  },
  { tag: '', operations: [operation('GET', '/orders', 'listOrders', 'Orders of the shop')] },
];

test('operations are found by words in tag, method, path, id and summary', () => {
  const found = (text: string): string[] => keysOf(searched(groups, text));
  equal(
    [found('pets'), found('get'), found('ADD  pet'), found('shop'), found('addpet'), found('none'), found('')],
    [
      ['GET /pets', 'POST /pets'],
      ['GET /pets', 'GET /orders'],
      ['POST /pets'],
      ['GET /orders'],
      ['POST /pets'],
      [],
      keysOf(groups),
    ],
  );
});

test('operations of a group are selected and deselected together', () => {
  equal([...chosenAfter(new Set(['a', 'b']), ['b', 'c'], true)], ['a', 'b', 'c']);
  equal([...chosenAfter(new Set(['a', 'b']), ['b', 'c'], false)], ['a']);
});

test('an upgrade begins with the operations of the installed version', () => {
  equal([...installed(groups, ['addPet', 'removed'])], ['POST /pets']);
});

test('only given options are sent', () => {
  equal(optionsOf(ALL), {});
  equal(
    optionsOf({
      name: ' shop ',
      displayName: 'Shop',
      baseUrl: 'https://a.example ',
      serverVariables: { region: 'us', port: '' },
      connectionVariables: ['tenant'],
      operations: new Set(['GET /pets']),
      pages: ONE_PAGE,
    }),
    {
      name: 'shop',
      displayName: 'Shop',
      baseUrl: 'https://a.example',
      serverVariables: { region: 'us' },
      connectionVariables: ['tenant'],
      operations: ['GET /pets'],
    },
  );
});

test('each kind of pages sends its own fields', () => {
  const typed = { ...ONE_PAGE, parameter: 'p', itemsPath: '/data', cursorPath: '/next', first: '0' };
  const sent = (kind: 'LINK' | 'CURSOR' | 'PAGE' | 'OFFSET') =>
    optionsOf({ ...ALL, pages: { ...typed, kind } })['pagination'];
  equal(sent('LINK'), { kind: 'LINK', itemsPath: '/data' });
  equal(sent('CURSOR'), { kind: 'CURSOR', parameter: 'p', itemsPath: '/data', cursorPath: '/next' });
  equal(sent('PAGE'), { kind: 'PAGE', parameter: 'p', itemsPath: '/data', first: 0 });
  equal(sent('OFFSET'), { kind: 'OFFSET', parameter: 'p', itemsPath: '/data', first: 0 });
  equal(optionsOf({ ...ALL, pages: { ...typed, kind: 'PAGE', first: 'x' } })['pagination'], {
    kind: 'PAGE',
    parameter: 'p',
    itemsPath: '/data',
  });
});

test('pages need a parameter, and a cursor its path', () => {
  equal(
    [
      ONE_PAGE,
      { ...ONE_PAGE, kind: 'LINK' as const },
      { ...ONE_PAGE, kind: 'PAGE' as const },
      { ...ONE_PAGE, kind: 'PAGE' as const, parameter: 'p' },
      { ...ONE_PAGE, kind: 'CURSOR' as const, parameter: 'p' },
      { ...ONE_PAGE, kind: 'CURSOR' as const, parameter: 'p', cursorPath: '/n' },
    ].map(isComplete),
    [true, true, false, true, false, true],
  );
});

const server = (template: string, url: string, ...variables: { name: string; default?: string }[]) => ({
  url,
  template,
  description: '',
  variables: variables.map((variable) => ({ ...variable, choices: [], description: '' })),
});
const report = part<Report>({
  baseUrl: 'https://eu.example.com',
  servers: [
    server('https://{region}.example.com', 'https://eu.example.com', { name: 'region', default: 'eu' }),
    server('https://{tenant}.example.com', 'https://{tenant}.example.com', { name: 'tenant' }),
  ],
});

test('the server of a report is chosen until another one is', () => {
  equal(serverOf(report, ALL, ALL)?.template, 'https://{region}.example.com');
  equal(
    serverOf(report, ALL, { ...ALL, baseUrl: 'https://{tenant}.example.com' })?.template,
    'https://{tenant}.example.com',
  );
  equal(serverOf(report, ALL, { ...ALL, baseUrl: 'https://other.example.com' }), undefined);
});

test('a variable without a default needs a value', () => {
  const values = (at: number, serverVariables: Record<string, string>): boolean =>
    hasValues(report.servers[at], { ...ALL, serverVariables });
  equal(
    [values(0, {}), values(1, {}), values(1, { tenant: '' }), values(1, { tenant: 'acme' }), hasValues(undefined, ALL)],
    [true, false, false, true, true],
  );
});

test('an upgrade begins with the options that the document still has', () => {
  const previous = (previousOptions: Report['previousOptions']): unknown =>
    previousChoices({ ...report, previousOptions } as Report);
  equal(previous(undefined), { serverVariables: {} });
  equal(previous({ baseUrl: 'https://{tenant}.example.com', serverVariables: { tenant: 'acme', gone: 'x' } }), {
    baseUrl: 'https://{tenant}.example.com',
    serverVariables: { tenant: 'acme' },
  });
  equal(previous({ connectionVariables: ['tenant', 'gone'] }), {
    serverVariables: {},
    connectionVariables: ['tenant'],
  });
  equal(previous({ baseUrl: 'https://{gone}.example.com' }), { serverVariables: {} });
  equal(previous({ baseUrl: 'https://fixed.example.com', pagination: { kind: 'PAGE', parameter: 'p', first: 1 } }), {
    baseUrl: 'https://fixed.example.com',
    serverVariables: {},
    pages: { kind: 'PAGE', parameter: 'p', itemsPath: '', cursorPath: '', first: '1' },
  });
});
