import { equal, holds, test } from '../../base/testing';
import { originOf, pageOf } from './snippets';

test('an origin is valid if the server accepts it', () => {
  equal(['https://A.com/', 'https://a.com:443', 'http://localhost:4200', 'https://*.a.com:8443'].map(originOf), [
    'https://a.com',
    'https://a.com',
    'http://localhost:4200',
    'https://*.a.com:8443',
  ]);
  equal(['a.com', 'ftp://a.com', 'https://a.com/x', 'https://u@a.com', '*', ''].map(originOf), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('the snippet loads the console script', () => {
  holds(
    pageOf('https://mill.example/flows').includes('src="https://mill.example/flows/assets/embed.js"'),
    'the address of the script',
  );
});
