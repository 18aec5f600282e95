import { equal, test } from '../../base/testing';
import { startsUnfolded } from './unfold';

test('the body of a call is unfolded, its headers are not', () => {
  equal(startsUnfolded('body', { amount: 4 }, 1), true);
  equal(startsUnfolded('headers', { host: 'a' }, 1), false);
});

test('long lists and deep values stay folded, an only item does not', () => {
  equal(startsUnfolded('rows', Array.from({ length: 13 }), 1), false);
  equal(startsUnfolded('1', { id: 1 }, 2), true);
  equal(startsUnfolded('1', { id: 1, name: 'a' }, 2), false);
  equal(startsUnfolded('x', { id: 1 }, 3), false);
});
