import { equal, test } from '../base/testing';
import { pathOf, placeOf, readToConsole, readToHost } from './messages';

test('only complete messages of the protocol are accepted', () => {
  equal(readToConsole({ millrace: 'configure', token: 't', path: '/runs', hideNavigation: true, theme: 'dark' }), {
    millrace: 'configure',
    token: 't',
    path: '/runs',
    hideNavigation: true,
    theme: 'dark',
  });
  equal(
    readToConsole({
      millrace: 'configure',
      token: 't',
      path: 'https://evil.example',
      theme: 'pink',
      hideNavigation: 'yes',
    }),
    { millrace: 'configure', token: 't' },
  );
  equal(
    [
      readToConsole({ millrace: 'configure' }),
      readToConsole({ millrace: 'configure', token: '' }),
      readToConsole('configure'),
      readToConsole(null),
      readToConsole({ other: 1 }),
    ],
    [undefined, undefined, undefined, undefined, undefined],
  );
  equal(
    [readToHost({ millrace: 'route', path: '/flows' }), readToHost({ millrace: 'eval' })],
    [{ millrace: 'route', path: '/flows' }, undefined],
  );
});

test('a path leads to the console only', () => {
  equal(
    ['/runs', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a\nb'].map(
      (path) => readToConsole({ millrace: 'navigate', path })?.millrace,
    ),
    ['navigate', undefined, undefined, undefined, undefined],
  );
});

test('paths of the host omit the id of the project', () => {
  equal(
    [placeOf('/flows/f', 'p'), placeOf('/', 'p'), placeOf('/projects/q/runs', 'p')],
    ['/projects/p/flows/f', '/projects/p/flows', '/projects/q/runs'],
  );
  equal([pathOf('/projects/p/flows/f', 'p'), pathOf('/projects/q/runs', 'p')], ['/flows/f', '/projects/q/runs']);
});
