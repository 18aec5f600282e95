import { equal, holds, test } from '../base/testing';
import { addressesOf, CLIENTS, shortName } from './clients';

test("the addresses are built from the server's", () => {
  equal(addressesOf('https://mill.example/flows', 'p1'), {
    project: 'https://mill.example/flows/api/v1/mcp/p1/http',
    platform: 'https://mill.example/flows/mcp/platform',
  });
});

test('client configuration contains the address, and is valid JSON', () => {
  for (const client of CLIENTS) {
    const code = client.code('https://mill.example/mcp', 'mill');
    holds(code.includes('https://mill.example/mcp'), client.key);
    holds(!code.startsWith('{') || typeof JSON.parse(code) === 'object', client.key);
  }
});

test('the name is valid for every client', () => {
  equal(['Acme & Co.', '  ', 'Mill'].map(shortName), ['acme-co', 'millrace', 'mill']);
});
