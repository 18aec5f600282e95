import { equal, test } from '../testing';
import { address } from './address';
import { failureOf, fieldsOf } from './failure';

test('an address has its parameters and its query, without absent ones', () => {
  equal(
    address('/v1/flows/{id}', { id: 'a b' }, { limit: 10, cursor: undefined, status: ['ENABLED', 'DISABLED'] }),
    '/v1/flows/a%20b?limit=10&status=ENABLED&status=DISABLED',
  );
});

test('violations are grouped by field', () => {
  equal(
    fieldsOf('body/email Invalid email address, body/settings/name Invalid input: expected string, received undefined'),
    { email: 'Invalid email address', 'settings.name': 'Invalid input: expected string, received undefined' },
  );
});

test('an application error has its code, its parameters and the id of the request', () => {
  const failure = failureOf(
    404,
    { code: 'ENTITY_NOT_FOUND', params: { message: 'gone', entityId: 'x' } },
    'req_1',
    null,
  );
  equal([failure.code, failure.message, failure.requestId, failure.fields], ['ENTITY_NOT_FOUND', 'gone', 'req_1', {}]);
});

test('a response in an unknown format is a failure with its status', () => {
  equal(failureOf(502, '<html>', '', '7').retryAfter, 7);
});
