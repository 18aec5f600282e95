import { equal, test } from '../../../base/testing';
import { ALL, chosenAfter, installed, isComplete, keysOf, ONE_PAGE, optionsOf, searched, type Group } from './document';

const operation = (method: string, path: string, id = '', summary = '') => ({ method, path, id, actionName: id, summary, deprecated: false, selected: true });
const groups: Group[] = [
  { tag: 'pets', operations: [operation('GET', '/pets', 'listPets', 'List pets'), operation('POST', '/pets', 'addPet', 'Add a pet')] },
  { tag: '', operations: [operation('GET', '/orders', 'listOrders', 'Orders of the shop')] },
];

test('operations are found by words in tag, method, path, id and summary', () => {
  const found = (text: string): string[] => keysOf(searched(groups, text));
  equal([found('pets'), found('get'), found('ADD  pet'), found('shop'), found('addpet'), found('none'), found('')],
    [['GET /pets', 'POST /pets'], ['GET /pets', 'GET /orders'], ['POST /pets'], ['GET /orders'], ['POST /pets'], [], keysOf(groups)]);
});

test('operations are chosen and left out together', () => {
  equal([...chosenAfter(new Set(['a', 'b']), ['b', 'c'], true)], ['a', 'b', 'c']);
  equal([...chosenAfter(new Set(['a', 'b']), ['b', 'c'], false)], ['a']);
});

test('an upgrade begins with the operations of the installed version', () => {
  equal([...installed(groups, ['addPet', 'removed'])], ['POST /pets']);
});

test('only given options are sent', () => {
  equal(optionsOf(ALL), {});
  equal(optionsOf({ name: ' shop ', displayName: 'Shop', baseUrl: 'https://a.example ', operations: new Set(['GET /pets']), pages: ONE_PAGE }),
    { name: 'shop', displayName: 'Shop', baseUrl: 'https://a.example', operations: ['GET /pets'] });
});

test('each kind of pages sends its own fields', () => {
  const typed = { ...ONE_PAGE, parameter: 'p', itemsPath: '/data', cursorPath: '/next', first: '0' };
  const sent = (kind: 'LINK' | 'CURSOR' | 'PAGE' | 'OFFSET') => optionsOf({ ...ALL, pages: { ...typed, kind } })['pagination'];
  equal(sent('LINK'), { kind: 'LINK', itemsPath: '/data' });
  equal(sent('CURSOR'), { kind: 'CURSOR', parameter: 'p', itemsPath: '/data', cursorPath: '/next' });
  equal(sent('PAGE'), { kind: 'PAGE', parameter: 'p', itemsPath: '/data', first: 0 });
  equal(sent('OFFSET'), { kind: 'OFFSET', parameter: 'p', itemsPath: '/data', first: 0 });
  equal(optionsOf({ ...ALL, pages: { ...typed, kind: 'PAGE', first: 'x' } })['pagination'], { kind: 'PAGE', parameter: 'p', itemsPath: '/data' });
});

test('pages need a parameter, and a cursor its path', () => {
  equal([ONE_PAGE, { ...ONE_PAGE, kind: 'LINK' as const }, { ...ONE_PAGE, kind: 'PAGE' as const }, { ...ONE_PAGE, kind: 'PAGE' as const, parameter: 'p' },
    { ...ONE_PAGE, kind: 'CURSOR' as const, parameter: 'p' }, { ...ONE_PAGE, kind: 'CURSOR' as const, parameter: 'p', cursorPath: '/n' }].map(isComplete),
    [true, true, false, true, false, true]);
});
