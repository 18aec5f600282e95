import { equal, test } from '../testing';
import { failure } from './failure';
import { fateOf, mayRepeat, pauseMs, type Fate } from './repeat';

const cases: Array<[string, number, number, Fate]> = [
  ['OFFLINE', 0, 0, 'lost'],
  ['CANCELED', 0, 0, 'refused'],
  ['500', 500, 0, 'lost'],
  ['502', 502, 0, 'lost'],
  ['503', 503, 0, 'lost'],
  ['503', 503, 1, 'busy'],
  ['504', 504, 0, 'lost'],
  ['OUTCOME_UNKNOWN', 504, 0, 'unknown'],
  ['429', 429, 0, 'busy'],
  ['IDEMPOTENCY_KEY_IN_USE', 409, 1, 'busy'],
  ['IDEMPOTENCY_ANSWER_NOT_KEPT', 409, 0, 'unknown'],
  ['IDEMPOTENCY_KEY_REUSED', 422, 0, 'refused'],
  ['FLOW_OPERATION_INVALID', 400, 0, 'refused'],
  ['AUTHENTICATION', 401, 0, 'refused'],
  ['ENTITY_NOT_FOUND', 404, 0, 'refused'],
];

test('a failure says whether a request may have been performed', () => {
  for (const [code, status, retryAfter, fate] of cases) {
    equal(fateOf(failure(code, { status, retryAfter })), fate, `${code} ${status}`);
  }
});

test('only requests with an unknown outcome are repeated, after the pause requested by the server', () => {
  equal(cases.filter(([code, status, retryAfter]) => mayRepeat(failure(code, { status, retryAfter }))).length, 8);
  equal(
    [
      pauseMs(failure('503', { retryAfter: 7 }), 1),
      pauseMs(failure('OFFLINE'), 3),
      pauseMs(failure('429', { retryAfter: 900 }), 1),
    ],
    [7_000, 3_000, 30_000],
  );
});
