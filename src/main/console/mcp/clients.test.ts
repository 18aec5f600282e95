import { equal, holds, test } from '../base/testing';
import { addressesOf, CLIENTS, shortName } from './clients';

test('the addresses are those of the server', () => {
  equal(addressesOf('https://mill.example/flows', 'p1'), {
    project: 'https://mill.example/flows/api/v1/mcp/p1/http',
    platform: 'https://mill.example/flows/mcp/platform',
  });
});

test('what a client is to copy holds the address, and is sound where it is JSON', () => {
  for (const client of CLIENTS) {
    const code = client.code('https://mill.example/mcp', 'mill');
    holds(code.includes('https://mill.example/mcp'), client.key);
    holds(!code.startsWith('{') || typeof JSON.parse(code) === 'object', client.key);
  }
});

test('a name that every client takes', () => {
  equal(['Acme & Co.', '  ', 'Mill'].map(shortName), ['acme-co', 'millrace', 'mill']);
});
