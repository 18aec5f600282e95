import { equal, part, test } from '../../base/testing';
import { detailsOf, type Health } from './health';

const GB = 1024 ** 3;
const health = part<Health>({
  database: true,
  disk: false,
  ram: true,
  cpu: true,
  isolation: true,
  isolationInForce: 'Landlock',
  figures: {
    cpu: { threshold: 95, unit: 'PERCENT' },
    disk: { value: GB / 2, threshold: GB, unit: 'BYTES' },
    ram: { value: 300 * 1024 ** 2, threshold: 2 * GB, unit: 'BYTES' },
  },
});

test('a check shows its value and its threshold', () => {
  equal(detailsOf('ram', health), ['300 MB of the heap used; a problem from 2 GB']);
});

test('a failed check also says what to do', () => {
  equal(detailsOf('disk', health), [
    '512 MB free; a problem below 1 GB',
    'Almost full. Free disk space, or runs can no longer be stored.',
  ]);
});

test('a value that the machine does not report is named', () => {
  equal(detailsOf('cpu', health), ['Not reported by this machine; a problem from 95 %']);
});

test('a check without figures has its state', () => {
  equal(detailsOf('database', health), ['Reachable']);
  equal(detailsOf('isolation', health), ['Active: Landlock']);
});
